/** Observes the sessions of a migration, as the watch of a tap. */
import type { Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import { isNonBlocking } from '#contents/sql/split-statements'
import type { Session } from '#postgres/session'
import type { Watch } from '../tap/watch.ts'
import type { RecordedStatement } from './attribution.ts'
import type { Recorder } from './recorder.ts'
import { readFiles } from './rewrites.ts'
import type { Sampler } from './sampler.ts'

/** Reads locks and files from a second session while the tap holds the messages of the first session back. */
export function watchSessions(
  session: Session,
  seam: Pick<Seam, 'now'>,
  recorder: Recorder,
  sampler: Sampler,
): Watch & { readonly problem: string | undefined } {
  let problem: string | undefined
  const onProblem = (reason: string): void => {
    problem ??= reason
  }

  async function attempt(subject: string, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      onProblem(`${subject} could not be read: ${messageOf(error)}`)
    }
  }

  const readLocksOf = (backend: number) =>
    attempt('the locks of the migration', async () => {
      const startedAt = seam.now()
      recorder.recordSnapshot(backend, await sampler.read(), startedAt, seam.now() - startedAt)
    })

  const readFilesAndWal = (exclusive: ReadonlyMap<number, ReadonlySet<RecordedStatement>>) =>
    attempt('the files after a statement', async () => {
      const last = recorder.statements.at(-1)
      const { wal, files } = await readFiles(session, exclusive.keys())
      recorder.rewrites.record(files, exclusive)
      recorder.recordWal(wal, last)
    })

  return {
    get problem() {
      return problem
    },
    onSend(statements) {
      if (!statements.every(isNonBlocking)) sampler.skipPauses()
    },
    onReady(backend, ran, status) {
      sampler.resumePauses()
      if (ran.length === 0) return undefined
      const mustReadLocks = recorder.recordStatements(backend, ran, status)
      if (mustReadLocks) return readLocksOf(backend)
      if (status !== 'I') return undefined
      const exclusive = recorder.endTransaction(backend, seam.now())
      const isUnchanged = exclusive.size === 0 && ran.every(({ sql }) => isNonBlocking(sql))
      return isUnchanged ? undefined : readFilesAndWal(exclusive)
    },
    onEnding: readLocksOf,
    onClosed(backend) {
      recorder.endTransaction(backend, seam.now())
    },
    onProblem,
  }
}
