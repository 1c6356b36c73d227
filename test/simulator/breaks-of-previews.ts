/** Broken variants of create-preview and delete-preview. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const oneDatabase = 'a pull request never has two databases'
const sameDatabase = 'all runs of a pull request publish the same database'
const clearDay = 'all runs succeed without faults'
const openKeeps = 'a reopened pull request keeps its preview'
const givenStays = 'a published preview stays while its pull request is open'
const givenIsThere = 'no run publishes a deleted preview'
const rightPassword = 'the password in the outputs is the one in effect'
const oneAfterNext = 'the next run deletes a remaining duplicate'

const nextStep = changeIn('preview/reconcile/next-step.ts')
const waits = changeIn('preview/reconcile/waits.ts')

/** Breaks create-preview and delete-preview. */
export const previewBreaks: Record<string, Break> = {
  'duplicates of a preview stay': broken(
    [oneDatabase, oneAfterNext],
    nextStep('const [duplicate] = duplicates', 'const [duplicate] = [] as typeof duplicates'),
  ),
  'the kept database is not read before a duplicate is deleted': broken(
    [givenStays],
    nextStep('duplicate && !observed.isKeptFresh', "duplicate && id === ''"),
  ),
  'each run keeps its own duplicate': broken(
    [sameDatabase, clearDay, givenStays],
    change(
      'preview/reconcile/observer.ts',
      "records.toSorted(byAge('service'))",
      'records.toSorted(one => (this.isCreatedHere(one.service_id) ? -1 : 1))',
    ),
  ),
  'create-preview does not wait until a lost request can create nothing': broken(
    [oneDatabase, sameDatabase],
    waits('await waitOutLostRequest(context, observer.creation?.duplicateUntil)', 'true'),
  ),
  'a young preview is published before lists are complete': broken(
    [givenStays, oneDatabase, sameDatabase],
    nextStep('if (!kept.areListsComplete)\n    return', "if (id === '')\n    return"),
  ),
  'a preview gets no password': broken(
    [rightPassword],
    change(
      'preview/reconcile/changes.ts',
      'setDerivedPassword(context, run.idsOf(id), service, observer.isCreatedHere(id)),',
      'Promise.resolve({ password: context.derivePassword(id), isNew: true }),',
    ),
  ),
  'an existing preview is published without a check of its password': broken(
    [givenIsThere],
    change(
      'preview/services/login.ts',
      'if (!isCreatedHere && (await isPasswordSet(loginContext, service, password)))',
      'if (!isCreatedHere)',
    ),
  ),
  'delete-preview asks GitHub only once': broken(
    [openKeeps],
    change(
      'preview/operations/delete-preview.ts',
      'deleteUnlessKept(context, preview, reasonToStay)',
      'deleteUnlessKept(context, preview, async () => undefined)',
    ),
  ),
  'create-preview does not read the pull request again before a deletion': broken(
    [openKeeps],
    change(
      'preview/operations/create-preview.ts',
      '(await readReasonAgainst(context, preview)) === undefined ? describeKept(preview) : undefined',
      'undefined',
    ),
  ),
}
