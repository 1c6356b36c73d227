/** Broken variants of create-preview and delete-preview. */
import { type Break, broken, change } from './breaking.ts'

const oneDatabase = 'never two databases for one pull request'
const sameDatabase = 'all runs of a pull request give the same database'
const clearDay = 'all runs succeed on a clear day'
const openKeeps = 'a pull request that is open again keeps its preview'
const givenStays = 'what a run was given stays while its pull request is open'
const givenIsThere = 'a run is not given what is deleted'
const rightPassword = 'the password of the outputs is the one in effect'
const oneAfterNext = 'two at rest are one after the next run'

/** Breaks create-preview and delete-preview. */
export const previewBreaks: Record<string, Break> = {
  'duplicates of a preview stay': broken(
    [oneDatabase, oneAfterNext],
    change(
      'preview/reconcile/next-step.ts',
      'const [duplicate] = duplicates',
      'const [duplicate] = [] as typeof duplicates',
    ),
  ),
  'the kept database is not read before a duplicate is deleted': broken(
    [givenStays],
    change('preview/reconcile/next-step.ts', 'duplicate && !observed.isKeptFresh', "duplicate && id === ''"),
  ),
  'each run keeps its own duplicate': broken(
    [sameDatabase, clearDay, givenStays],
    change(
      'preview/reconcile/observer.ts',
      "records.toSorted(byAge('service'))",
      'records.toSorted(one => (this.isCreatedHere(one.service_id) ? -1 : 1))',
    ),
  ),
  'a preview does not outlast a lost request': broken(
    [oneDatabase, sameDatabase],
    change(
      'preview/reconcile/waits.ts',
      'await waitOutLostRequest(context, observer.creation?.duplicateUntil)',
      'true',
    ),
  ),
  'a young preview is handed out at once': broken(
    [givenStays, oneDatabase, sameDatabase],
    change(
      'preview/reconcile/next-step.ts',
      'if (!kept.areListsComplete)\n    return',
      "if (id === '')\n    return",
    ),
  ),
  'a preview gets no password': broken(
    [rightPassword],
    change(
      'preview/reconcile/changes.ts',
      'setDerivedPassword(context, run.idsOf(id), service, observer.isCreatedHere(id)),',
      'Promise.resolve({ password: context.derivePassword(id), isNew: true }),',
    ),
  ),
  'a preview of before is handed out without a look at its database': broken(
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
  'create-preview does not ask again before it undoes': broken(
    [openKeeps],
    change(
      'preview/operations/create-preview.ts',
      '(await readReasonAgainst(context, preview)) === undefined ? describeKept(preview) : undefined',
      'undefined',
    ),
  ),
}
