/** Broken variants of the post step and its state. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const findCreated = changeIn('operations/cleanup/cleanup.ts')
const keepTrying = changeIn('operations/cleanup/keep-trying.ts')
const create = changeIn('operations/create/create.ts')

export const endBreaks: Record<string, Break> = {
  'the intent is not saved before the request': broken(
    ['nothingLeft'],
    change('operations/create/create-once.ts', 'journal.intend(intent)', ''),
  ),
  'the id of the new record is not saved': broken(
    ['nothingLeft'],
    create('context.journal.announce(record, outcome)', ''),
  ),
  'a password is saved in the state': broken(
    ['noSecret'],
    create(
      'journal.announce(record, outcome)',
      'journal.announce({ ...record, ids: { ...record.ids, note: outcome.initialPassword ?? "" } as never }, outcome)',
    ),
  ),
  'the post step searches only once': broken(
    ['nothingLeft'],
    findCreated('return records.length > 0 ? records : undefined', 'return records'),
  ),
  'the post step gives up at the first failure': broken(
    ['nothingLeft'],
    keepTrying(
      'return mayPass || isPatient ? deadline : undefined',
      'return deadline > 0 ? undefined : refusedSince',
    ),
  ),
  'closing a pull request gives up in an outage': broken(
    ['closesInOutage'],
    keepTrying('return isOutage(causeOf(failure)) ? last : undefined', 'return undefined'),
  ),
  'a 429 counts as an attempt': broken(
    ['waitsForLimit', 'closesInOutage'],
    change('client/client.ts', 'isUrgent || !hasStatus429(failure)', 'true'),
  ),
  'the post step honors only the tag PROD': broken(
    ['onlyOwn'],
    change('operations/cleanup/request-deletion.ts', 'if (tag !== undefined)', "if (tag === 'PROD')"),
  ),
  'the post step deletes by an exact name': broken(
    ['onlyOwn', 'sharedStays'],
    findCreated('certain: isUniqueName }', 'certain: true }'),
  ),
  'the post step does not report what it leaves': broken(
    ['reportsRest'],
    change('operations/cleanup/cleanup.ts', 'if (reasons.length > 0)', 'if (reasons.length > 99)'),
  ),
  'the log has no heartbeat': broken(
    ['neverSilent'],
    change('operations/wait/heartbeat.ts', 'longestSilence = 4500', 'longestSilence = 60_000'),
  ),
}
