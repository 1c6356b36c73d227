/** Masks the database of a service, and stores the masking stamp in it. */
import { createHash } from 'node:crypto'
import { renderDuration } from '#base/duration'
import type { OpenSession, Session } from '#postgres/session'
import { writeMaskingStamp } from '../notes/masking-stamp.ts'
import { deleteNotes } from '../notes/notes.ts'
import type { Progress } from './mask/progress.ts'
import { during } from './mask/work.ts'
import type { Masking, MaskTask } from './masked.ts'
import { maskByFile } from './masking.ts'
import { assertOthersAreEmpty } from './other-databases.ts'
import { checkProven, describeMasking, type MaskingReport } from './report.ts'

function renderProgress({ stage, rows, allRows, left }: Progress): string {
  const share = allRows > 0 ? `, ${Math.floor((100 * rows) / allRows)} % of about ${allRows}` : ''
  const rest = left === undefined ? '' : `, about ${renderDuration(left * 1000)} left`
  return `${stage}: ${rows} rows${share}${rest}`
}

/** Git's hash of a file, with which a reader can find its version on GitHub. */
const hashFile = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

async function stamp(
  session: Session,
  { source, at, run, rules }: MaskTask,
  { catalog }: MaskingReport,
): Promise<void> {
  await session.query('begin')
  await writeMaskingStamp(session, { source, at, run, file: hashFile(rules.text), catalog })
  await session.query('commit')
}

/**
 * Masks the only database of a service with content. Stamps it if the search finds no original.
 *
 * @throws MaskFileError, MaskingError, OriginalsFoundError: their messages contain no values
 */
export async function maskAndStamp(open: OpenSession, request: MaskTask): Promise<Masking> {
  await assertOthersAreEmpty(open)
  await open(session => during('deleting the notes of the parent', () => deleteNotes(session)))
  const report = await maskByFile(open, {
    file: request.rules,
    onProgress: progress => request.onProgress(renderProgress(progress)),
  })
  checkProven(report)
  await open(session => stamp(session, request, report))
  return describeMasking(report)
}
