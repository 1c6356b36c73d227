/** Broken variants of creating operations, and of any step. */
import { type Break, broken, change } from './breaking.ts'

const leavesOne = 'a run that succeeds leaves exactly one'
const nothingAlien = 'a run takes nothing for its own that cannot be'
const nothingLeft = 'nothing is left after the post step'
const saysWhatIsLeft = 'the post step says what it leaves'
const clearEnd = 'a run ends with outputs or a clear error'
const twoPosts = 'a run sends two creating requests at most'
const inTime = 'a run ends by its deadline'
const rightPassword = 'the password of the outputs is the one in effect'
const othersStay = 'what is of others stays unchanged'
const onlyOwn = 'a run deletes only its own records'
const sharedStays = 'nothing that another run was given is deleted by the end of a job'
const oneDatabase = 'never two databases for one pull request'

/** Breaks creating steps, and steps in general. */
export const creationBreaks: Record<string, Break> = {
  'a lost answer is not looked for before the request is repeated': broken(
    [leavesOne, nothingLeft, oneDatabase],
    change('operations/create/create-once.ts', 'isDoubtful(failure) ? searchTimes : [0]', '[0]'),
  ),
  'the second record of a lost answer stays': broken(
    [leavesOne],
    change('operations/endpoint-operation.ts', 'await deleteDuplicates(context, creation)', ''),
  ),
  'a lost request is not outlasted': broken(
    [leavesOne],
    change(
      'operations/cleanup/duplicates.ts',
      'context.settings.wait && (await waitOutLostRequest(context, creation.duplicateUntil))',
      'true',
    ),
  ),
  'requests are dated by the clock of the runner': broken(
    [leavesOne, nothingLeft, saysWhatIsLeft],
    change('operations/create/create-once.ts', 'client.date()', 'seam.date()'),
  ),
  'what was there before counts as owned by the run': broken(
    [othersStay, onlyOwn, leavesOne, nothingLeft],
    change(
      'operations/create/intent.ts',
      'if (intent.existing.includes(idOf(intent.resource, record))) return true',
      '',
    ),
  ),
  'a service that another caller has tagged counts as owned by the run': broken(
    [nothingAlien],
    change('operations/create/intent.ts', 'isOfOtherParent || isOfOtherTag ||', 'isOfOtherParent ||'),
  ),
  'of several of an exact name the oldest is taken': broken(
    [leavesOne, othersStay],
    change(
      'operations/create/create-once.ts',
      "(found.length > 1 || resource === 'service')",
      "resource === 'service'",
    ),
  ),
  'the random part of a name is always the same': broken(
    [sharedStays, onlyOwn, othersStay, leavesOne, rightPassword],
    change('operations/base/unique-name.ts', 'randomPart(seam, randomPartLength)', "'aaaaaaaa'"),
  ),
  'a creating request is repeated like any other': broken(
    [twoPosts, leavesOne, nothingLeft],
    change('client/retry.ts', "row.method !== 'POST' || row.repeatable", 'true'),
  ),
  'a creating request is sent three times': broken(
    [twoPosts],
    change('operations/create/create-once.ts', 'const mostRequests = 2', 'const mostRequests = 3'),
  ),
  'the answer is trusted and not the record': broken(
    [clearEnd],
    change(
      'operations/endpoint-operation.ts',
      'if (!context.settings.wait && !isRead(row)) return outcome',
      'return outcome',
    ),
  ),
  'an adopted service stays without a password': broken(
    [rightPassword],
    change('operations/create/create.ts', 'if (!outcome.adopted ||', 'if (true ||'),
  ),
  'the deadline is forgotten': broken(
    [inTime],
    change('operations/wait/settled.ts', 'until: deadline,', 'until: deadline + 3e6,'),
  ),
  'a Retry-After is waited for however late': broken(
    [inTime],
    change('client/client.ts', 'if (seam.now() + delay > deadline) return false', ''),
  ),
  'a wait does not hear the signal': broken(
    ['a cancelled run ends within 5 s'],
    change('client/client.ts', 'await seam.sleep(delay, signal)', 'await seam.sleep(delay)'),
    change(
      'operations/create/create-once.ts',
      'await seam.sleep(Math.max(0, at - seam.now()), signal)',
      'void signal; await seam.sleep(Math.max(0, at - seam.now()))',
    ),
  ),
  'what is shown as DELETED is waited for': broken(
    ['what is gone is not waited for'],
    change('operations/wait/settled.ts', "isDeleted(record) ? 'gone' : 'pending'", "'pending'"),
  ),
  'an answer about another record counts': broken(
    ['the outputs are of the record that was asked for', onlyOwn, othersStay],
    change(
      'client/answer.ts',
      'const otherId = decoded.success ? findOtherId(row, decoded.data, parameters) : undefined',
      'const otherId = undefined as string | undefined',
    ),
  ),
  'the end of a job does not look for what a proxy repeated': broken(
    [nothingLeft],
    change('operations/cleanup/cleanup.ts', 'if (!intent.isUniqueName || intent.posts > 1 ||', 'if (true ||'),
  ),
  'what a proxy repeated is not named': broken(
    ['a run names what its one request made beside its own'],
    change(
      'operations/cleanup/duplicates.ts',
      'if (creation.duplicateUntil === undefined) return await reportRepeats(context, creation)',
      'if (creation.duplicateUntil === undefined) return',
    ),
  ),
  'a refusal is believed whatever the list shows': broken(
    [nothingLeft],
    change(
      'operations/create/create-once.ts',
      'if (isRefused(failure) && mayExist)',
      'if (mayExist && failure === undefined)',
    ),
  ),
}
