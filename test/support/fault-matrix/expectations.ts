import type { ExpectStatic } from 'vitest'
import type { MatrixFault } from './faults.ts'
import type { Interruption } from './interruptions.ts'
import type { Observed, Row } from './run-row.ts'

/** What a row must come to. */
interface Expected {
  exitCode: number
  sent: number
  /** How many of the services that the row is about are there in the end. */
  left: number
  /** The one error line; none where the step succeeds, or is killed before it can say anything. */
  error: RegExp | undefined
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 }

function afterInterruption({ signal }: Interruption, sent: number, left: number): Expected {
  const error = signal === 'SIGKILL' ? undefined : new RegExp(`^cancelled by ${signal} — run the step again`)
  return { exitCode: exitCodes[signal], sent, left, error }
}

const processed = ({ when }: MatrixFault) => (when === 'after' ? 1 : 0)

/** What became of the one creating POST. */
function expectCreation({ kind, times, told, ...fault }: MatrixFault): Expected {
  const failed = { exitCode: 1, error: told, left: processed({ kind, times, told, ...fault }) }
  if (kind === 'never sent') return { ...failed, sent: 0 }
  if (kind === 'refused' || kind === 'redirected') return { ...failed, sent: 1 }
  const done = { exitCode: 0, error: undefined, left: 1 }
  if (kind === 'too soon') return { ...done, sent: 2 }
  // Not sent again before a minute of looking, which the deadline of the row does not give.
  return fault.when === 'before' ? { ...failed, sent: 1 } : { ...done, sent: 1 }
}

/** What became of the one DELETE that the fault befalls. */
function expectDeletion(fault: MatrixFault, isPreview: boolean): Expected {
  const { kind, times, told, title } = fault
  const failed = { exitCode: 1, error: told, left: 1 - processed(fault) }
  if (kind === 'never sent') return { ...failed, sent: 0 }
  const done = { exitCode: 0, error: undefined, left: 0 }
  // A preview may just be changing, or be gone: that is looked into.
  if (isPreview && /^40[49]$/.test(title)) return { ...done, sent: 2 }
  if (kind === 'refused' || kind === 'redirected' || kind === 'too large') return { ...failed, sent: 1 }
  if (kind === 'harmless') return { ...done, sent: 1 }
  return times === 'once' ? { ...done, sent: 2 } : { ...failed, sent: 3 }
}

function expectationOf(row: Row, doomed: number): Expected {
  const { operation, does } = row.subject
  if ('interruption' in row)
    return afterInterruption(row.interruption, Math.max(1, doomed), does === 'create' ? 1 : 0)
  if (does === 'create') return expectCreation(row.fault)
  const expected = expectDeletion(row.fault, operation !== 'delete-service')
  // Prune's other deletions are made in any case.
  const others = doomed - 1
  return row.fault.kind === 'never sent'
    ? { ...expected, left: expected.left + others }
    : { ...expected, sent: expected.sent + others }
}

/** What holds of every row. */
function checkAlways({ errors, stderr, strayed, exitCode }: Observed, expect: ExpectStatic): void {
  expect(stderr).toBe('')
  expect(strayed).toBe(0)
  expect(errors).toHaveLength(exitCode === 0 || exitCode === 137 ? 0 : 1)
  // What failed, and what to do next.
  for (const line of errors) expect(line).toMatch(/^.{10,} — .{10,}$/)
}

function checkCreation(row: Row, observed: Observed, expect: ExpectStatic): void {
  const { exitCode, outputs, state, services, warnings, post } = observed
  const [service] = services
  if (exitCode === 0) expect(outputs).toMatchObject({ service_id: service?.service_id, created: 'true' })
  // An id that is known is an output and in the state, whatever happened after.
  expect(outputs.service_id).toBe(JSON.parse(state.created ?? '{"ids": {}}').ids.service_id)
  const isAdopted =
    'fault' in row && exitCode === 0 && row.fault.when === 'after' && row.fault.kind !== 'harmless'
  expect(warnings).toEqual(isAdopted ? [expect.stringContaining('was lost')] : [])
  expect(outputs.password !== undefined).toBe(exitCode === 0)
  // Once the job has ended, with `cleanup: always`, nothing that the step created is there, known id or not.
  expect(post).toEqual({ exitCode: 0, errors: [], services: [] })
  if ('fault' in row && row.fault.kind === 'refused') expect(state.intent).toBe('')
  if ('fault' in row && row.fault.kind === 'never sent') expect(state.intent ?? '').toBe('')
}

function checkDeletion(observed: Observed, left: string[], expect: ExpectStatic): void {
  const { exitCode, outputs, state, doomed } = observed
  expect(state).toEqual({})
  const deleted = doomed.filter(id => !left.includes(id))
  if (exitCode === 0 && outputs.deleted_ids !== undefined)
    expect(outputs.deleted_ids.split(',')).toEqual(deleted)
  if (exitCode === 0) expect(outputs.deleted).toBe('true')
}

/** Checks what was observed of a row against what must come of it. */
export function check(row: Row, observed: Observed, expect: ExpectStatic): void {
  const { doomed, services } = observed
  const expected = expectationOf(row, doomed.length)
  const isCreation = row.subject.does === 'create'
  const left = services.map(({ service_id }) => service_id).filter(id => isCreation || doomed.includes(id))
  expect({ exitCode: observed.exitCode, sent: observed.sent, left: left.length }, observed.errors[0]).toEqual(
    {
      exitCode: expected.exitCode,
      sent: expected.sent,
      left: expected.left,
    },
  )
  if (expected.error) expect(observed.errors[0]).toMatch(expected.error)
  checkAlways(observed, expect)
  if (isCreation) checkCreation(row, observed, expect)
  else checkDeletion(observed, left, expect)
}
