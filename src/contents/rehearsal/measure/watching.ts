/** Observes the sessions of a migration, as the watch of a tap. */

import { messageOf } from '#base/errors'
import type { Seam } from '#base/seam'
import type { Session } from '#postgres/session'
import { isPlain } from '../tap/statements.ts'
import type { Watch } from '../tap/watch.ts'
import type { Recorded } from './attribution.ts'
import { readFilesOf, readLocks, readWal } from './locks.ts'
import type { Recorder } from './recorder.ts'
import type { Sampler } from './sampler.ts'

/** Reads locks and files from a second session while the tap holds the messages of the first session back. */
export function watchSessions(
  session: Session,
  seam: Pick<Seam, 'now'>,
  recorder: Recorder,
  sampler: Sampler,
): Watch & { readonly problem: string | undefined } {
  let problem: string | undefined
  const trouble = (reason: string): void => {
    problem ??= reason
  }

  async function attempt(what: string, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      trouble(`${what} could not be read: ${messageOf(error)}`)
    }
  }

  const readAt = (backend: number) =>
    attempt('the locks of the migration', async () => {
      const asked = seam.now()
      const locks = await readLocks(session, backend, recorder.newest)
      recorder.read(backend, locks, asked, seam.now() - asked)
    })

  const readAfter = (exclusive: ReadonlyMap<number, ReadonlySet<Recorded>>) =>
    attempt('the files after a statement', async () => {
      const last = recorder.statements.at(-1)
      if (exclusive.size > 0) recorder.rewrote(await readFilesOf(session, exclusive.keys()), exclusive)
      recorder.wrote(await readWal(session), last)
    })

  return {
    get problem() {
      return problem
    },
    sent(statements) {
      if (!statements.every(isPlain)) sampler.hurry()
    },
    ready(backend, ran, status) {
      sampler.rest()
      if (ran.length === 0) return undefined
      if (recorder.ran(backend, ran, status)) return readAt(backend)
      if (status !== 'I') return undefined
      const exclusive = recorder.ended(backend, seam.now())
      return ran.every(({ sql }) => isPlain(sql)) && exclusive.size === 0 ? undefined : readAfter(exclusive)
    },
    ending: readAt,
    closed: backend => void recorder.ended(backend, seam.now()),
    trouble,
  }
}
