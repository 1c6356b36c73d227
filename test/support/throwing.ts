/** Preloaded into a program: the first connection to THROW_AT_PORT causes an uncaught exception, like a defect of a library. */
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
  const isTarget = port === portOf(options)
  if (isFirst && isTarget) setImmediate(() => JSON.parse('{'))
  if (isTarget) isFirst = false
  return connect.apply(this, options as never)
} as never
