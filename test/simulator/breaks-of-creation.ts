/** Broken variants of creating operations, of any step, and of the post step. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const client = changeIn('client/client.ts')
const duplicates = changeIn('operations/cleanup/duplicates.ts')
const createOnce = changeIn('operations/create/create-once.ts')
const intent = changeIn('operations/create/intent.ts')
const endpointOperation = changeIn('operations/endpoint-operation.ts')
const settled = changeIn('operations/wait/settled.ts')

const findCreated = changeIn('operations/cleanup/cleanup.ts')
const keepTrying = changeIn('operations/cleanup/request-deletion.ts')
const create = changeIn('operations/create/create.ts')

export const creationBreaks: Record<string, Break> = {
  // Creating steps, and steps in general.
  'a creating request is repeated without a search for the record of the lost answer': broken(
    ['leavesOne', 'nothingLeft', 'oneDatabase'],
    createOnce('isDoubtful(failure) ? searchTimes : [0]', '[0]'),
  ),
  'the second record after a lost answer is not deleted': broken(
    ['leavesOne'],
    endpointOperation('await deleteDuplicates(context, creation)', ''),
  ),
  'the step does not wait until a lost request can create nothing': broken(
    ['leavesOne'],
    duplicates(
      'context.settings.wait && (await waitOutLostRequest(context, creation.duplicateUntil))',
      'true',
    ),
  ),
  'requests are dated by the clock of the runner': broken(
    ['leavesOne', 'nothingLeft', 'reportsRest'],
    createOnce('client.date()', 'seam.date()'),
  ),
  'a record that existed before counts as owned by the run': broken(
    ['othersStay', 'onlyOwn', 'leavesOne', 'nothingLeft'],
    intent('if (intent.existing.includes(idOf(intent.resource, record))) return true', ''),
  ),
  'a service that another caller has tagged counts as owned by the run': broken(
    ['claimsOnlyMatching'],
    intent('isOfOtherParent || isOfOtherTag ||', 'isOfOtherParent ||'),
  ),
  'of several records with an exact name, the oldest is adopted': broken(
    ['leavesOne', 'othersStay'],
    createOnce("(found.length > 1 || resource === 'service')", "resource === 'service'"),
  ),
  'the random part of a name is always the same': broken(
    ['sharedStays', 'onlyOwn', 'othersStay', 'leavesOne', 'rightPassword'],
    change('operations/create/intent.ts', 'randomPart(seam, randomPartLength)', "'aaaaaaaa'"),
  ),
  'a creating request is retried like a read': broken(
    ['twoPosts', 'leavesOne', 'nothingLeft'],
    change('client/retry.ts', "row.method !== 'POST' || row.repeatable", 'true'),
  ),
  'a creating request is sent three times': broken(
    ['twoPosts'],
    createOnce('const mostRequests = 2', 'const mostRequests = 3'),
  ),
  'the step trusts the first answer and does not read the record': broken(
    ['clearEnd'],
    endpointOperation('if (!context.settings.wait && !isRead(row)) return outcome', 'return outcome'),
  ),
  'an adopted service stays without a password': broken(
    ['rightPassword'],
    change('operations/create/create.ts', 'if (!outcome.adopted ||', 'if (true ||'),
  ),
  'the deadline is forgotten': broken(['inTime'], settled('until: deadline,', 'until: deadline + 3e6,')),
  'a step waits for a Retry-After beyond its deadline': broken(
    ['inTime'],
    client('if (seam.now() + delay > deadline) return false', ''),
  ),
  'a wait ignores the signal': broken(
    ['endsAtSignal'],
    client('await seam.sleep(delay, signal)', 'await seam.sleep(delay)'),
    createOnce(
      'await seam.sleep(Math.max(0, at - seam.now()), signal)',
      'void signal; await seam.sleep(Math.max(0, at - seam.now()))',
    ),
  ),
  'a wait ignores the status DELETED': broken(
    ['waitsForNoDeleted'],
    settled("isDeleted(record) ? 'gone' : 'pending'", "'pending'"),
  ),
  'an answer about another record counts': broken(
    ['rightRecord', 'onlyOwn', 'othersStay'],
    change(
      'client/answer.ts',
      'const otherId = decoded.success ? findOtherId(row, decoded.data, parameters) : undefined',
      'const otherId = undefined as string | undefined',
    ),
  ),
  'the post step does not search for records of a repeated request': broken(
    ['nothingLeft'],
    change('operations/cleanup/cleanup.ts', 'if (!intent.isUniqueName || intent.posts > 1 ||', 'if (true ||'),
  ),
  'the step does not name records of a repeated request': broken(
    ['namesRepeats'],
    duplicates(
      'if (creation.duplicateUntil === undefined) return await reportRepeats(context, creation)',
      'if (creation.duplicateUntil === undefined) return',
    ),
  ),
  'the post step trusts a refusal without a search': broken(
    ['nothingLeft'],
    createOnce('if (isRefused(failure) && mayExist)', 'if (mayExist && failure === undefined)'),
  ),
  // The post step and its state.
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
