/**
 * Loaded before a program: the first connection throws later, outside of any call, as a defect of a library would. With
 * THROW_AT_PORT it is the first connection to that port.
 */
import net from 'node:net'

type Place = { port?: unknown } | undefined

/** `connect(port, host)`, `connect({ port })`, or the list that Node.js makes of them. */
const portOf = ([first]: unknown[]) => {
  const [place = first] = [first].flat()
  return String((place as Place)?.port ?? place)
}

const port = process.env.THROW_AT_PORT
const { connect } = net.Socket.prototype
let isFirst = true
net.Socket.prototype.connect = function (this: net.Socket, ...options: unknown[]) {
  const isMeant = port === undefined || port === portOf(options)
  if (isFirst && isMeant) setImmediate(() => JSON.parse('{'))
  if (isMeant) isFirst = false
  return connect.apply(this, options as never)
} as never
