/** The rows of the fault matrix: each operation with each fault or signal. */
import { interruptions, matrixFaults } from './faults.ts'
import type { Row } from './run-row.ts'
import { type Subject, subjects } from './subjects.ts'

/** Faults that a step cannot distinguish from another one. */
const variants = new Set([
  ...['400', '403', '409', '408', '503', '503, Retry-After: 1', 'HTML labelled JSON', 'broken JSON'],
  ...['an empty body', 'JSON labelled HTML', 'unknown fields', 'an answer 0.3 s late', 'slow bytes'],
])

function rowsOf(subject: Subject): Row[] {
  // A DELETE is answered without a record.
  const faults = matrixFaults.filter(
    fault =>
      (subject.does === 'create' || !fault.isAboutRecord) && !(subject.isAlike && variants.has(fault.title)),
  )
  return [
    ...faults.map(fault => ({ subject, fault })),
    ...interruptions.map(interruption => ({ subject, interruption })),
  ]
}

export const matrixRows: readonly Row[] = subjects.flatMap(rowsOf)

const moments = { before: 'not processed', after: 'processed' }

/** The fault of the operation, in words. */
export function titleOf(row: Row): string {
  if ('interruption' in row) return `${row.interruption.signal} ${row.interruption.title}`
  const { title, when, times } = row.fault
  const often = when !== undefined && times === 'for ever' ? ', each time' : ''
  return when === undefined ? title : `${title}, ${moments[when]}${often}`
}
