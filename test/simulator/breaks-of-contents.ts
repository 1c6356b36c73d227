/** Broken variants of preparing a preview's database. */
import { type Break, broken, change } from './breaking.ts'

const noWayIn = 'nobody gets the way into a database that is not quarantined and filled'
const onceFilled = 'a file fills a database once'

export const contentsBreaks: Record<string, Break> = {
  'a preview is handed out without a quarantine': broken(
    [noWayIn],
    change('preview/prepare/quarantine.ts', 'if (!isQuarantineNeeded(', 'if (isQuarantineNeeded('),
  ),
  'a record that names no parent yet is taken for one without a parent': broken(
    [noWayIn],
    change('preview/prepare/preparation.ts', 'mayNameParentLate(this.#context, record)', 'false'),
  ),
  'a run with empty: true does not ask for the parent of a young record': broken(
    [noWayIn],
    change(
      'preview/reconcile/changes.ts',
      'observer.mayLackParent(id) && mayNameParentLate',
      'false && mayNameParentLate',
    ),
  ),
  'what is made is announced with the way in': broken(
    [noWayIn],
    change(
      'operations/base/withholding.ts',
      'journal.announce(record, withhold(outcome))',
      'journal.announce(record, outcome)',
    ),
  ),
  'the address of a fork is named before its quarantine': broken(
    [noWayIn],
    change('operations/wait/targets.ts', 'isWithheld: true,', 'isWithheld: false,'),
  ),
  'a failure tells the way in': broken(
    [noWayIn],
    change(
      'operations/base/withholding.ts',
      'journal.publish(withhold(outcome))',
      'journal.publish(outcome)',
    ),
  ),
  'what the parent keeps is taken for the own': broken(
    [noWayIn],
    change(
      'contents/notes/preview-note.ts',
      'return stored.value.service_id === serviceId ? stored : undefined',
      'return stored',
    ),
  ),
  'the schema of the parent is taken for the own': broken(
    ['the schema that a database begins with is its own, before it is filled'],
    change('preview/prepare/fill.ts', 'await database.keepSchema(service_id)', 'await Promise.resolve()'),
  ),
  'a file is run again by each run': broken(
    [onceFilled],
    change('preview/prepare/fill.ts', 'return ready ? [] : pending', 'return given'),
  ),
  'two runs fill a database at the same time': broken(
    [onceFilled],
    change(
      'preview/prepare/database-access.ts',
      '(await database.tryLock()) || undefined',
      '(await database.tryLock()) !== undefined || undefined',
    ),
  ),
}
