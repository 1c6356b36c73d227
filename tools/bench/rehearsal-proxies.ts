import { parentPort, workerData } from 'node:worker_threads'
import { openProxy } from '#contents/rehearsal/proxy/open-proxy'
import type { Connection } from '#postgres/connection'

/** What the thread is given: a proxy for each census. It answers with their ports. */
export interface Wanted {
  target: Connection
  censuses: string[]
}

const { target, censuses } = workerData as Wanted
const proxies = censuses.map(census =>
  openProxy(
    target,
    {
      census: () => census,
      ran() {},
      ended() {},
      trouble(_: number | undefined, problem: string) {
        throw new Error(problem)
      },
    },
    performance,
  ),
)
parentPort?.postMessage((await Promise.all(proxies)).map(({ port }) => port))
