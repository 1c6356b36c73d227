/** Fills the database of a new preview: stores its schema baseline, and runs its seed files. */
import { ActionError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { PreviewNote } from '#contents/notes/preview-note'
import type { SeedFile } from '#contents/sql/seeds'
import type { Waiting } from '#operations/base/context'
import type { Visit } from './database-access.ts'
import { noteProblem } from './note.ts'

/** Stores the schema baseline of an unused database. A failure is a warning: the preview then has no baseline. */
export async function storeSchemaBaseline(
  { log, signal }: Waiting,
  { database, service: { service_id } }: Visit,
  state: PreviewNote,
): Promise<PreviewNote> {
  const isNew = !state.ready && !state.adopted && state.seeds.length === 0
  if (!isNew || state.schema_kept !== undefined) return state
  try {
    await database.keepSchema(service_id)
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
  { database }: Visit,
  state: PreviewNote,
  { seeds, base }: { seeds: SeedFile[]; base: string },
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
