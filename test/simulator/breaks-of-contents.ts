/** Broken variants of preparing a preview's database, of masked parents, and of their forks. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const previewNote = changeIn('contents/notes/preview-note.ts')
const withholding = changeIn('operations/base/withholding.ts')
const fill = changeIn('preview/prepare/preparation-steps.ts')
const changes = changeIn('preview/reconcile/changes.ts')

const night = (from: string, to: string) => change('preview/operations/create-masked-parent.ts', from, to)
const guard = (from: string) => change('preview/masked/copies.ts', from, 'if (false)')
const remove = (from: string, to: string) => change('preview/masked/copies.ts', from, to)

const masking = changeIn('preview/prepare/preparation-steps.ts')
const pauseMasked = changeIn('preview/prune/pause.ts')
const parent = changeIn('preview/services/create.ts')

export const contentsBreaks: Record<string, Break> = {
  // Preparing a preview's database.
  'a preview is published without a quarantine': broken(
    ['onlyQuarantined'],
    change('preview/prepare/preparation-steps.ts', 'if (!isQuarantineNeeded(', 'if (isQuarantineNeeded('),
  ),
  'a young record without a parent counts as an empty service': broken(
    ['onlyQuarantined'],
    change('preview/prepare/preparation.ts', 'mayNameParentLate(context, record)', 'false'),
  ),
  'a run with empty: true does not wait for the parent of a young record': broken(
    ['onlyQuarantined'],
    changes('observer.mayLackParent(id) && mayNameParentLate', 'false && mayNameParentLate'),
  ),
  'the first outputs contain connection details': broken(
    ['onlyQuarantined'],
    withholding('journal.announce(record, withhold(outcome))', 'journal.announce(record, outcome)'),
  ),
  'the log contains the address of a fork before its quarantine': broken(
    ['onlyQuarantined'],
    change('operations/wait/targets.ts', 'isWithheld: true,', 'isWithheld: false,'),
  ),
  'the outputs of a failure contain connection details': broken(
    ['onlyQuarantined'],
    withholding('journal.publish(withhold(outcome))', 'journal.publish(outcome)'),
  ),
  'a fork uses the note of its parent': broken(
    ['onlyQuarantined'],
    previewNote('return stored.value.service_id === serviceId ? stored : undefined', 'return stored'),
  ),
  'a fork uses the schema baseline of its parent': broken(
    ['rightSchema'],
    fill('await database.storeSchema(service_id)', 'await Promise.resolve()'),
  ),
  'each run repeats the seed files': broken(
    ['onceFilled'],
    fill('return ready ? [] : pending', 'return given'),
  ),
  'two runs fill a database at the same time': broken(
    ['onceFilled'],
    change(
      'preview/prepare/database-access.ts',
      '(await database.tryLock()) || undefined',
      '(await database.tryLock()) !== undefined || undefined',
    ),
  ),
  // Masked copies, and previews that fork them.
  'a copy has the name of a finished one from the start': broken(
    ['calledMasked'],
    night("renderMaskedBase('masking'", "renderMaskedBase('masked'"),
  ),
  'masking continues after a broken connection': broken(
    ['maskedOnce'],
    night('if (hasMaskingBegun)', 'if (false)'),
  ),
  'the post step deletes a finished copy': broken(
    ['newestStay'],
    night('  context.journal.withdraw()\n', ''),
  ),
  'a masked copy of another repository counts as owned by the run': broken(
    ['onlyCopies', 'onlyFinished'],
    guard('if (name.repositoryHash !== repositoryHash)'),
  ),
  'previews are forked from unfinished copies': broken(
    ['onlyFinished'],
    parent("findMasked(context, owner, 'masked')", "findMasked(context, owner, 'masking')"),
  ),
  'a preview is published without the masking stamp': broken(
    ['onlyMasked'],
    masking('if (!settings.preview.masked) return undefined', 'if (settings) return undefined'),
  ),
  'create-masked-parent deletes all other copies': broken(
    ['newestStay'],
    remove('others.slice(keptCopies - 1)', 'others'),
  ),
  'create-masked-parent deletes no older copies': broken(
    ['twoAtMost'],
    remove('others.slice(keptCopies - 1)', '[]'),
  ),
  'create-masked-parent does not delete abandoned copies': broken(
    ['nothingHalf'],
    night('await deleteAbandoned(context, owner)', ''),
  ),
  'create-masked-parent deletes unfinished copies of other runs': broken(
    ['othersWork'],
    remove('?? 0) > longest', '?? 0) >= 0'),
  ),
  'prune pauses unfinished copies': broken(
    ['onlyFinishedPaused'],
    pauseMasked("{ stage: 'masked' }", "{ stage: 'masking' }"),
    pauseMasked("owner, 'masked')", "owner, 'masking')"),
    pauseMasked('age < pauseAfter', 'age < 0'),
    pauseMasked('await reasonInUse(context, service, pauseAfter)', 'undefined'),
  ),
}
