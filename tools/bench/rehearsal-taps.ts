/**
 * A thread with the relays of the benchmark: one that only forwards, a tap without a watch, and one that reads locks
 * like the action.
 */
import { type AddressInfo, createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import { reach } from '#contents/rehearsal/tap/reach'
import type { Watch } from '#contents/rehearsal/tap/watch'
import type { LoginConnection } from '#postgres/connection'
import { withSession } from '#postgres/session'

/** The message to the thread. The thread answers with the ports of the three relays. */
export interface Wanted {
  target: LoginConnection
}

const { target } = workerData as Wanted
const seam = createRealSeam()
const ports: number[] = []

const unwatched: Watch = {
  onSend() {},
  onReady: () => undefined,
  onEnding: () => undefined,
  onClosed() {},
  onProblem(problem) {
    throw new Error(problem)
  },
}
const relay = createServer({ noDelay: true }, async client => {
  client.pause().on('error', () => {})
  const server = await reach(target)
  server.on('error', () => {})
  client.pipe(server).pipe(client)
})
await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
ports.push((relay.address() as AddressInfo).port, (await openTap(target, unwatched, seam)).port)
const options = { timeout: 3_600_000, signal: new AbortController().signal, mostBytes: 1e10, forJson: true }
await withSession(target, options, session =>
  rehearse(session, seam, {
    limits: {},
    files: [],
    async run(watch) {
      ports.push((await openTap(target, watch ?? unwatched, seam)).port)
      parentPort?.postMessage(ports)
      // The benchmark ends the thread.
      await new Promise(() => {})
    },
  }),
)
