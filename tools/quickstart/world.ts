// The processes of the quickstart.

import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import { startEmulator } from '../../emulator/http/server.ts'
import { checkDist } from '../build/stale-dist.ts'
import { Job } from '../runner/workflow-job.ts'
import { useScratchFolder } from './scratch-folder.ts'

/** All processes of the quickstart: the API with its databases, and the job that uses it. */
export interface World {
  baseUrl: string
  job: Job
  /** Ends every process and deletes every file. Safe to call twice. */
  close(): Promise<void>
}

export interface WorldOptions {
  /** Aborting it stops every running process. */
  signal: AbortSignal
  /** Called with problems behind the API. */
  onProblem: (problem: string) => void
}

/** Milliseconds until services are ready: long enough to see their statuses. */
const readyAfter = 2000

/** Starts all processes. Rejects with an error that names the missing requirement. */
export async function openWorld({ signal, onProblem }: WorldOptions): Promise<World> {
  const root = tmpdir()
  useScratchFolder(root)
  await checkDist()
  const dataPlane = await openClusters({ root })
  const keys = { publicKey: randomKey(26, upperCase), secretKey: randomKey(64, letters) }
  const emulator = await startEmulator({ ...keys, dataPlane, readyAfter, onProblem })
  const job = new Job({
    secrets: { DATABASE_PUBLIC_KEY: keys.publicKey, DATABASE_SECRET_KEY: keys.secretKey },
    // Requests to this machine must bypass a proxy.
    environment: { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    signal,
  })
  return { baseUrl: emulator.baseUrl, job, close: () => emulator.stop() }
}

const upperCase = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

function randomKey(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
