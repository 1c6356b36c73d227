/** A thread with the taps of the benchmark: one that nobody watches, and one that reads locks as the action does. */
import { parentPort, workerData } from 'node:worker_threads'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import type { Watch } from '#contents/rehearsal/tap/watch'
import type { Connection } from '#postgres/connection'
import { withSession } from '#postgres/session'

/** Given to the thread, which answers with the ports of both taps. */
export interface Wanted {
  target: Connection & { password: string }
}

const { target } = workerData as Wanted
const seam = createRealSeam()
const ports: number[] = []

const unwatched: Watch = {
  sent() {},
  ready: () => undefined,
  ending: () => undefined,
  closed() {},
  trouble(problem) {
    throw new Error(problem)
  },
}
ports.push((await openTap(target, unwatched, seam)).port)
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
