/** Loaded before a program: the first connection throws later, outside of any call, as a defect of a library would. */
import net from 'node:net'

const { connect } = net.Socket.prototype
let isFirst = true
net.Socket.prototype.connect = function (this: net.Socket, ...options: unknown[]) {
  if (isFirst) setImmediate(() => JSON.parse('{'))
  isFirst = false
  return connect.apply(this, options as never)
} as never
