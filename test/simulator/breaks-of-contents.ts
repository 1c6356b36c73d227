/** Broken variants of preparing a preview's database. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const previewNote = changeIn('contents/notes/preview-note.ts')
const withholding = changeIn('operations/base/withholding.ts')
const fill = changeIn('preview/prepare/preparation-steps.ts')
const changes = changeIn('preview/reconcile/changes.ts')

export const contentsBreaks: Record<string, Break> = {
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
    fill('await database.keepSchema(service_id)', 'await Promise.resolve()'),
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
}
