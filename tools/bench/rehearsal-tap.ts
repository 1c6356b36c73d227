/** A thread with a relay that reads nothing, and a tap that reads locks like the action. */
import { type AddressInfo, createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import { reach } from '#contents/rehearsal/tap/reach'
import type { LoginConnection } from '#postgres/connection'
import { withSession } from '#postgres/session'

/** The database. The thread answers with the ports of the relay and the tap. */
const target = workerData as LoginConnection
const seam = createRealSeam()
const relay = createServer({ noDelay: true }, async client => {
  client.pause().on('error', () => {})
  const server = await reach(target)
  server.on('error', () => {})
  client.pipe(server).pipe(client)
})
await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
const { port } = relay.address() as AddressInfo
const options = { timeout: 3_600_000, signal: new AbortController().signal, mostBytes: 1e10, forJson: true }
await withSession(target, options, session =>
  rehearse(session, seam, {
    limits: {},
    files: [],
    async run(watch) {
      if (watch === undefined) throw new Error('the rehearsal cannot watch')
      parentPort?.postMessage([port, (await openTap(target, watch, seam)).port])
      // The benchmark ends the thread.
      await new Promise(() => {})
    },
  }),
)
