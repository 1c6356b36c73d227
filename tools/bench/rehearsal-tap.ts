/** A thread with a tap that reads locks, like the action. */
import { parentPort, workerData } from 'node:worker_threads'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import { openTap } from '#contents/rehearsal/tap/open-tap'
import type { LoginConnection } from '#postgres/connection'
import { withSession } from '#postgres/session'

/** The database. The thread answers with the port of the tap. */
const target = workerData as LoginConnection
const seam = createRealSeam()
const options = { timeout: 3_600_000, signal: new AbortController().signal, mostBytes: 1e10, forJson: true }
await withSession(target, options, session =>
  rehearse(session, seam, {
    limits: {},
    files: [],
    async run(watch) {
      if (watch === undefined) throw new Error('the rehearsal cannot watch')
      parentPort?.postMessage((await openTap(target, watch, seam)).port)
      // The benchmark ends the thread.
      await new Promise(() => {})
    },
  }),
)
