/** Adds a run to the history of a preview. New measurements replace those of the same statements in earlier runs. */
import { capRun, hasResult, pickStatements } from './history.ts'
import { hashOf, isChange, isRead } from './statement-text.ts'
import { type MigrationRun, mostItems, type Rehearsal, type Violation } from './stored.ts'

/** Removes statements that only read, and adds the ids by which later runs replace measurements. */
function addIds(run: MigrationRun): MigrationRun {
  const { statements, violations } = run.rehearsal
  const identified = violations.map(one => ({ ...one, of: statements[one.statement ?? -1]?.id }))
  const changes = statements.filter(isChange)
  const ran = changes.length > 0 ? hashOf(changes.flatMap(({ id }) => id ?? [])) : undefined
  const rehearsal = { ...run.rehearsal, violations: identified, ran }
  const shown = [...statements.entries()].flatMap(([index, one]) => (isRead(one) ? [] : [index]))
  return { ...pickStatements({ ...run, rehearsal }, shown), omitted: run.omitted }
}

/** Marks violations that no longer count. */
const replaceViolations = (run: MigrationRun, isReplaced: (one: Violation) => boolean): MigrationRun => ({
  ...run,
  rehearsal: {
    ...run.rehearsal,
    violations: run.rehearsal.violations.map(one => (isReplaced(one) ? { ...one, replaced: true } : one)),
  },
})

/** Removes the measurements of statements that ran again in a later run. `ran` is the hash of all its changes. */
function replaceRepeated(run: MigrationRun, repeated: ReadonlySet<string>, ran: string | undefined) {
  const { statements } = run.rehearsal
  const isRepeated = (id: string | undefined) => id !== undefined && repeated.has(id)
  const left = [...statements.keys()].filter(index => !isRepeated(statements[index]?.id))
  const isWhole = ran !== undefined && run.rehearsal.ran === ran
  return {
    ...pickStatements(
      replaceViolations(run, ({ of }) => isWhole || isRepeated(of)),
      left,
    ),
    ...(isWhole && { replaced: true }),
  }
}

/** A failed migration rolled back its failing file. Earlier files do not run again, so their violations count. */
function discardRolledBack(run: MigrationRun): MigrationRun {
  const { problem, verdict, statements } = run.rehearsal
  if (problem === undefined || verdict !== 'failed') return run
  const failed = statements.find(({ failure }) => failure !== undefined)?.place?.file
  return replaceViolations(run, ({ place }) => !failed || !place || place.file === failed)
}

/** Removes effects on objects that an earlier run left unfinished, and that are finished or dropped now. A full list may lack some. */
function removeFinished(run: MigrationRun, { unfinished: now }: Rehearsal): MigrationRun {
  const { unfinished = [], effects } = run.rehearsal
  if (now === undefined || now.length >= mostItems) return run
  const finished = unfinished.filter(name => !now.includes(name))
  const left = effects.filter(({ advice, object }) => advice === undefined || !finished.includes(object))
  return { ...run, rehearsal: { ...run.rehearsal, effects: left } }
}

/** Returns the earlier runs without replaced measurements, and the new run within the limits of the note. */
export function addRun(runs: MigrationRun[], added: MigrationRun): MigrationRun[] {
  const run = addIds(added)
  const { statements, ran } = run.rehearsal
  const succeeded = statements.filter(({ failure }) => failure === undefined)
  // A run without a result may be incomplete, so it replaces nothing.
  const repeated = new Set(hasResult(run) ? succeeded.flatMap(({ id }) => id ?? []) : [])
  const earlier = runs.map(earlierRun =>
    replaceRepeated(
      removeFinished(discardRolledBack(earlierRun), run.rehearsal),
      repeated,
      hasResult(run) ? ran : undefined,
    ),
  )
  return [...earlier, capRun(run)]
}
