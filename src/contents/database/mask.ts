import { createHash } from 'node:crypto'
import { renderDuration } from '../../base/duration.ts'
import type { Session } from '../../postgres/session.ts'
import type { Progress } from '../masking/mask/progress.ts'
import { during } from '../masking/mask/work.ts'
import type { Masking, MaskTask } from '../masking/masked.ts'
import { maskByFile } from '../masking/masking.ts'
import { checkProven, describeMasking, type MaskingReport } from '../masking/report.ts'
import type { OpenSession } from '../quarantine/quarantine.ts'
import { forgetKept } from './kept.ts'
import { writeMark } from './mark.ts'
import { assertOthersAreEmpty } from './other-databases.ts'

function renderProgress({ stage, rows, allRows, left }: Progress): string {
  const share = allRows > 0 ? `, ${Math.floor((100 * rows) / allRows)} % of about ${allRows}` : ''
  const rest = left === undefined ? '' : `, about ${renderDuration(left * 1000)} left`
  return `${stage}: ${rows} rows${share}${rest}`
}

/** The hash by which Git knows a file, so that GitHub tells whether it was changed. */
const hashFile = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

async function mark(
  session: Session,
  { source, at, run, rules }: MaskTask,
  { catalog }: MaskingReport,
): Promise<void> {
  await session.query('begin')
  await writeMark(session, { source, at, run, file: hashFile(rules.text), catalog })
  await session.query('commit')
}

/**
 * Masks the one database of a service that has anything in it, and marks it where none of its originals is found afterwards.
 *
 * @throws MaskFileError, MaskingError, OriginalsFoundError: none of them holds a value
 */
export async function maskAndMark(open: OpenSession, request: MaskTask): Promise<Masking> {
  await assertOthersAreEmpty(open)
  await open(session => during('what runs kept in the parent', () => forgetKept(session)))
  const report = await maskByFile(open, {
    file: request.rules,
    onProgress: progress => request.onProgress(renderProgress(progress)),
  })
  checkProven(report)
  await open(session => mark(session, request, report))
  return describeMasking(report)
}
