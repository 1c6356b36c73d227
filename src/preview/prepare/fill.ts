import { ActionError } from '#base/errors'
import type { SeedFile } from '#contents/sql/seed-file'
import type { Waiting } from '#operations/base/context'
import { timed } from '#operations/base/timeline'
import type { Visit } from './database-access.ts'
import { noteProblem, type PreviewState } from './state.ts'

/** The files that are still to be run; says which of a database that was handed out before will not be. */
function pendingSeeds({ log }: Waiting, { ready, seeds }: PreviewState, given: SeedFile[]): SeedFile[] {
  const pending = given.filter(({ name }) => !seeds.some(({ file }) => file === name))
  const changed = given.filter(({ name, hash }) => seeds.some(one => one.file === name && one.hash !== hash))
  const late = [...changed, ...(ready ? pending : [])].map(({ name }) => name)
  if (late.length > 0)
    log.info(`${late.join(', ')}: the database was filled before that; reset-preview makes it anew, with it`)
  return ready ? [] : pending
}

/**
 * Fills the database of a preview with these files, each once, and notes each of them; returns the state with that.
 *
 * @throws SqlFileError when a file fails
 */
export async function fill(
  context: Waiting,
  { database }: Visit,
  state: PreviewState,
  { seeds, base }: { seeds: SeedFile[]; base: string },
): Promise<PreviewState> {
  let seeded = state
  for (const file of pendingSeeds(context, state, seeds)) {
    const { problem: _, ...rest } = seeded
    const next = { ...rest, seeds: [...seeded.seeds, { file: file.name, hash: file.hash }] }
    try {
      const inEffect = seeded.seeds.map(one => one.file)
      await timed(context, `running ${file.name}`, () => database.seed(file, JSON.stringify(next), inEffect))
    } catch (failure) {
      if (!(failure instanceof ActionError)) throw failure
      await noteProblem(database, seeded, failure)
      failure.message += `; the preview ${base} (service ${state.service_id}) is not filled`
      throw failure
    }
    seeded = next
    context.log.info(`ran ${file.name}`)
  }
  return seeded
}
