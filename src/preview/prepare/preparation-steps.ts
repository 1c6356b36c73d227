/** The steps of a preparation in an open database: masking stamp, quarantine, schema baseline, seed files. */
import { ActionError, renderAdvised } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { PreviewNote } from '#contents/notes/preview-note'
import { keepNothing } from '#contents/quarantine/keep-active'
import type { SeedFile } from '#contents/sql/seeds'
import type { Waiting } from '#operations/base/context'
import { assertStrict, quarantine } from '#operations/quarantine'
import type { PullRequests, WithSettings } from '../base/context.ts'
import { PreviewError } from '../base/preview-error.ts'
import { noteProblem, type PreparationTask, type Visit } from './database-access.ts'
import { matchesPatterns } from './migrations.ts'

type Quarantining = Waiting & WithSettings<'keepActive' | 'preview' | 'quarantine'>

/** Whether the database needs a quarantine. An earlier quarantine in its note proves that it has a parent. */
export function isQuarantineNeeded(
  { settings }: Quarantining,
  { service, parentId, state }: Pick<PreparationTask, 'service' | 'parentId'> & { state?: PreviewNote },
): boolean {
  const parent = service.forked_from?.service_id ?? parentId ?? state?.quarantine
  return (parent !== undefined || settings.preview.masked) && settings.quarantine !== false
}

const keepActiveOf = ({ settings }: Quarantining) => JSON.stringify(settings.keepActive ?? keepNothing)

function isQuarantined(context: Quarantining, { state: { quarantine }, startedAt }: Visit): boolean {
  if (quarantine === undefined) return false
  const isComplete = quarantine.report.undone.length === 0
  const isSufficient = isComplete || context.settings.quarantine !== 'strict'
  const isAsRequested = quarantine.keep_active === keepActiveOf(context)
  // After a restart of the server, the quarantine runs again.
  return isSufficient && isAsRequested && quarantine.started_at === startedAt
}

/** Quarantines the database as requested; returns the new state. @throws ActionError */
export async function ensureQuarantine(context: Quarantining, visit: Visit): Promise<PreviewNote> {
  const { service, database, state, startedAt } = visit
  if (!isQuarantineNeeded(context, visit) || isQuarantined(context, visit)) return state
  const report = await quarantine(context, service.service_id, database, state.quarantine?.report)
  const secured = {
    ...state,
    quarantine: { report, keep_active: keepActiveOf(context), started_at: startedAt },
  }
  await database.writeNote(JSON.stringify(secured))
  try {
    assertStrict(context, service.service_id, report)
  } catch (failure) {
    await noteProblem(database, secured, failure)
    throw failure
  }
  return secured
}

/** Stores the schema baseline of an unused database. A failure is a warning: the preview then has no baseline. */
export async function storeSchemaBaseline(
  { log, signal }: Waiting,
  { database, service: { service_id } }: Visit,
  state: PreviewNote,
): Promise<PreviewNote> {
  const isNew = !state.ready && !state.adopted && state.seeds.length === 0
  if (!isNew || state.schema_kept !== undefined) return state
  try {
    await database.storeSchema(service_id)
    return { ...state, schema_kept: true }
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `the schema baseline of service ${service_id} was not stored, so schema-diff cannot compare: ${messageOf(failure)}`,
      'schema not kept',
    )
    return { ...state, schema_kept: false }
  }
}

/** The files still to run. Logs the files that a published database will not get. */
function pendingSeeds({ log }: Waiting, { ready, seeds }: PreviewNote, given: SeedFile[]): SeedFile[] {
  const pending = given.filter(({ name }) => !seeds.some(({ file }) => file === name))
  const changed = given.filter(({ name, hash }) =>
    seeds.some(seed => seed.file === name && seed.hash !== hash),
  )
  const ignoredFiles = [...changed, ...(ready ? pending : [])].map(({ name }) => name)
  if (ignoredFiles.length > 0)
    log.info(
      `${ignoredFiles.join(', ')}: the database was filled before; reset-preview recreates it with all files`,
    )
  return ready ? [] : pending
}

/** Runs and notes each of these files once. @throws ActionError if a file fails */
export async function fill(
  context: Waiting,
  { database, base, seeds = [] }: Visit,
  state: PreviewNote,
): Promise<PreviewNote> {
  let seeded = state
  for (const file of pendingSeeds(context, state, seeds)) {
    const { problem: _oldProblem, ...rest } = seeded
    const next = { ...rest, seeds: [...seeded.seeds, { file: file.name, hash: file.hash }] }
    try {
      const inEffect = seeded.seeds.map(seed => seed.file)
      await context.timeline.time(`running ${file.name}`, () =>
        database.seed(file, JSON.stringify(next), inEffect),
      )
    } catch (failure) {
      if (!(failure instanceof ActionError)) throw failure
      await noteProblem(database, seeded, failure)
      failure.message += `; the preview ${base} (service ${state.service_id}) is kept, and the next run fills it`
      throw failure
    }
    seeded = next
    context.log.info(`ran ${file.name}`)
  }
  return seeded
}

/** The database of a preview must be masked but has no masking stamp. */
export class MissingStampError extends PreviewError {}

/** Returns the masking stamp if one is required. @throws MissingStampError if it is missing */
export async function requireMaskingStamp(
  { settings }: WithSettings<'preview'>,
  { database, maskedFrom, service: { service_id } }: Visit,
): Promise<MaskingStamp | undefined> {
  if (!settings.preview.masked) return undefined
  const stamp = await database.readMaskingStamp()
  if (stamp !== undefined && (maskedFrom === undefined || stamp.source === maskedFrom)) return stamp
  throw new MissingStampError(
    `service ${service_id} has no masking stamp${maskedFrom ? ` of a copy of ${maskedFrom}` : ''}: with masked: true, its connection details are not published`,
    'if there is no masked parent yet, run create-masked-parent; then run `operation: reset-preview` to recreate the preview',
  )
}

/** The content hash of the one file on the default branch that fits. */
async function readRulesHash({ github }: PullRequests, patterns: string[]): Promise<string> {
  const isRules = matchesPatterns(patterns)
  const files = [...(await github.readFiles('default branch'))].filter(([path]) => isRules(path))
  const [first] = files
  if (first === undefined || files.length > 1)
    throw new Error(`${files.length} files of the default branch fit`)
  return first[1]
}

/** Compares the masking with `mask_file` on the default branch. @throws PreviewError on a difference, if strict */
export async function compareMaskingRules(
  context: PullRequests & WithSettings<'quarantine'>,
  service_id: string,
  stamp: MaskingStamp | undefined,
): Promise<void> {
  const { settings, log, signal } = context
  const { maskFile } = settings.preview
  if (stamp === undefined || maskFile === undefined) return
  const name = maskFile.join(' ')
  const hash = await readRulesHash(context, maskFile).catch(failure => {
    signal.throwIfAborted()
    log.warning(
      `cannot check whether service ${service_id} was masked by the newest ${name}: ${messageOf(failure)}`,
      'rules not compared',
    )
  })
  if (hash === undefined || hash === stamp.file) return
  const failure = new PreviewError(
    `service ${service_id} was masked by another ${name} than that of the default branch`,
    'run create-masked-parent, then `operation: reset-preview`',
  )
  if (settings.quarantine === 'strict') throw failure
  log.warning(renderAdvised(failure), 'masked by other rules')
}
