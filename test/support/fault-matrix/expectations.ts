/** Compares the results of the fault matrix with their expectations. */
import type { ExpectStatic } from 'vitest'
import type { Interruption, MatrixFault } from './faults.ts'
import type { Observed, Row } from './run-row.ts'
import type { Subject } from './subjects.ts'

interface Expected {
  exitCode: number
  sent: number
  /** The number of the row's services that exist in the end. */
  left: number
  /** The one error line; none if the step succeeds or is killed first. */
  error: RegExp | undefined
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGKILL: 137 }

function afterInterruption({ signal }: Interruption, sent: number, left: number): Expected {
  const error =
    signal === 'SIGKILL'
      ? undefined
      : new RegExp(`^cancelled by ${signal} — before you run the step again, check its resources`)
  return { exitCode: exitCodes[signal], sent, left, error }
}

const processed = ({ when }: MatrixFault) => (when === 'after' ? 1 : 0)

/** The fate of the one creating POST. */
function expectCreation(fault: MatrixFault, { isExact }: Subject): Expected {
  const { kind, errorPattern, when } = fault
  const failed = { exitCode: 1, error: errorPattern, left: processed(fault) }
  if (kind === 'never sent') return { ...failed, sent: 0 }
  if (kind === 'refused') return { ...failed, sent: 1 }
  const done = { exitCode: 0, error: undefined, left: 1 }
  if (kind === 'too soon') return { ...done, sent: 2 }
  // Its password may be in use.
  if (isExact && when === 'after' && kind !== 'harmless')
    return {
      ...failed,
      sent: 1,
      error: /has the name of service "shop", but another job may have created it/,
    }
  // The step repeats the POST only after a search of a minute, longer than the row's deadline.
  return when === 'before' ? { ...failed, sent: 1 } : { ...done, sent: 1 }
}

/** The fate of the one DELETE with the fault. */
function expectDeletion(fault: MatrixFault, isPreview: boolean): Expected {
  const { kind, times, errorPattern, title } = fault
  const failed = { exitCode: 1, error: errorPattern, left: 1 - processed(fault) }
  if (kind === 'never sent') return { ...failed, sent: 0 }
  const done = { exitCode: 0, error: undefined, left: 0 }
  // A preview may be changing or deleted: the step finds out.
  if (isPreview && /^40[49]$/.test(title)) return { ...done, sent: 2 }
  if (kind === 'refused' || kind === 'redirected' || kind === 'too large') return { ...failed, sent: 1 }
  if (kind === 'harmless') return { ...done, sent: 1 }
  return times === 'once' ? { ...done, sent: 2 } : { ...failed, sent: 3 }
}

function expectationOf(row: Row, doomed: number): Expected {
  const { operation, does } = row.subject
  if ('interruption' in row)
    return afterInterruption(row.interruption, Math.max(1, doomed), does === 'create' ? 1 : 0)
  if (does === 'create') return expectCreation(row.fault, row.subject)
  const expected = expectDeletion(row.fault, operation !== 'delete-service')
  const others = doomed - 1
  return row.fault.kind === 'never sent'
    ? { ...expected, left: expected.left + others }
    : { ...expected, sent: expected.sent + others }
}

/** Invariants of every row. */
function checkAlways({ errors, exitCode, ...observed }: Observed, expect: ExpectStatic): void {
  expect(observed).toMatchObject({ stderr: '', strayed: 0, harmed: [] })
  expect(errors).toHaveLength(exitCode === 0 || exitCode === 137 ? 0 : 1)
  // The failure and the next step.
  for (const line of errors) expect(line).toMatch(/^.{10,} — .{10,}$/)
}

/** The step saves the intent before the POST, and removes it if the POST certainly created nothing. */
function checkIntent(row: Row, { state }: Observed, expect: ExpectStatic): void {
  const kind = 'fault' in row ? row.fault.kind : undefined
  if (kind === 'never sent') expect(state.intent ?? '').toBe('')
  else if (kind === 'refused' && row.subject.isExact) expect(state.intent).toBe('')
  else if (kind === 'refused') expect(JSON.parse(state.intent ?? '')).toMatchObject({ refused: true })
  else
    expect(JSON.parse(state.intent ?? '')).toMatchObject({
      resource: 'service',
      posts: kind === 'too soon' ? 2 : 1,
    })
}

function warningsOf(row: Row, exitCode: number): string[] {
  const isAdopted =
    'fault' in row && exitCode === 0 && row.fault.when === 'after' && row.fault.kind !== 'harmless'
  if (!isAdopted) return []
  return ['was lost']
}

function checkCreation(row: Row, observed: Observed, expect: ExpectStatic): void {
  const { exitCode, outputs, state, left, warnings, post } = observed
  const { service_id } = outputs
  // A known id is always in the outputs and in the state.
  if (exitCode === 0 || service_id) expect(outputs).toMatchObject({ service_id: left[0], created: 'true' })
  expect(JSON.parse(state.created ?? '{"ids": {}}').ids.service_id).toBe(service_id)
  expect(warnings).toEqual(warningsOf(row, exitCode).map(words => expect.stringContaining(words)))
  const password = outputs.password ?? outputs.initial_password
  // A preview's connection details are unpublished until the end of the run.
  const isHandedOut = row.subject.operation === 'create-preview' ? exitCode === 0 : service_id !== undefined
  expect(password !== undefined).toBe(isHandedOut)
  // After the job, with `cleanup: always`, none of the step's records remains, with or without a known id. Records that
  // may belong to another job are named and not deleted.
  const inDoubt = row.subject.isExact && state.created === undefined
  const named = expect.stringContaining(
    `may have created service ${left[0]} as service "shop", but its answer was lost`,
  )
  if (post)
    expect(post).toEqual(
      inDoubt ? { exitCode: 1, errors: [named], left } : { exitCode: 0, errors: [], left: [] },
    )
  checkIntent(row, observed, expect)
}

function checkDeletion({ exitCode, outputs, state, doomed, left }: Observed, expect: ExpectStatic): void {
  expect(state).toEqual({})
  // Only deleted services are reported as deleted, and all of them if the step succeeds.
  const said = outputs.deleted_ids?.split(',').filter(id => id !== '') ?? []
  expect(left.filter(id => said.includes(id))).toEqual([])
  if (exitCode === 0) expect(outputs.deleted).toBe('true')
  if (exitCode === 0 && outputs.deleted_ids !== undefined) expect(said.toSorted()).toEqual(doomed.toSorted())
}

/** Compares the observations of a row with its expectations. */
export function check(row: Row, observed: Observed, expect: ExpectStatic): void {
  const { exitCode, sent, left, errors } = observed
  const { error, ...expected } = expectationOf(row, observed.doomed.length)
  expect({ exitCode, sent, left: left.length }, errors[0]).toEqual(expected)
  if (error) expect(errors[0]).toMatch(error)
  checkAlways(observed, expect)
  if (row.subject.does === 'create') checkCreation(row, observed, expect)
  else checkDeletion(observed, expect)
}
