/** Broken variants of create-preview and delete-preview. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const nextStep = changeIn('preview/reconcile/next-step.ts')
const waits = changeIn('preview/reconcile/waits.ts')

/** Breaks create-preview and delete-preview. */
export const previewBreaks: Record<string, Break> = {
  'duplicates of a preview stay': broken(
    ['oneDatabase', 'oneAfterNext'],
    nextStep('const [duplicate] = duplicates', 'const [duplicate] = [] as typeof duplicates'),
  ),
  'the kept database is not read before a duplicate is deleted': broken(
    ['givenStays'],
    nextStep('duplicate && !observed.isKeptFresh', "duplicate && id === ''"),
  ),
  'each run keeps its own duplicate': broken(
    ['sameDatabase', 'clearDay', 'givenStays'],
    change(
      'preview/reconcile/observer.ts',
      "records.toSorted(byAge('service'))",
      'records.toSorted(one => (this.isCreatedHere(one.service_id) ? -1 : 1))',
    ),
  ),
  'create-preview does not wait until a lost request can create nothing': broken(
    ['oneDatabase', 'sameDatabase'],
    waits('await waitOutLostRequest(context, observer.creation?.duplicateUntil)', 'true'),
  ),
  'a young preview is published before lists are complete': broken(
    ['givenStays', 'oneDatabase', 'sameDatabase'],
    nextStep('if (!kept.areListsComplete)\n    return', "if (id === '')\n    return"),
  ),
  'a preview gets no password': broken(
    ['rightPassword'],
    change(
      'preview/reconcile/changes.ts',
      'setDerivedPassword(context, run.idsOf(id), service, observer.isCreatedHere(id)),',
      'Promise.resolve({ password: context.derivePassword(id), isNew: true }),',
    ),
  ),
  'an existing preview is published without a check of its password': broken(
    ['givenIsThere'],
    change(
      'preview/services/login.ts',
      'if (!isCreatedHere && (await isPasswordSet(loginContext, service, password)))',
      'if (!isCreatedHere)',
    ),
  ),
  'delete-preview asks GitHub only once': broken(
    ['openKeeps'],
    change(
      'preview/operations/delete-preview.ts',
      'deleteUnlessKept(context, preview, reasonToStay)',
      'deleteUnlessKept(context, preview, async () => undefined)',
    ),
  ),
  'create-preview does not read the pull request again before a deletion': broken(
    ['openKeeps'],
    change(
      'preview/operations/create-preview.ts',
      '(await readReasonAgainst(context, preview)) === undefined ? describeKept(preview) : undefined',
      'undefined',
    ),
  ),
}

const deletePreview = changeIn('preview/operations/delete-preview.ts')
const migrations = changeIn('preview/prepare/migrations.ts')

/** An existing database does not count, so `paths` is checked whenever a run observes one. */
const checksExisting = [
  change('preview/reconcile/observer.ts', "if (this.#listed.length > 0) this.need = 'given'", ''),
  nextStep(
    'const finish: Rule = observed => {',
    "const finish: Rule = observed => {\n  if (observed.need === 'unknown') return { do: 'check changed files', reason: '' }",
  ),
]

export const pathBreaks: Record<string, Break> = {
  'paths is not applied': broken(
    ['onlyMatching'],
    nextStep("if (need === 'given') return", 'if (need) return'),
  ),
  'paths matches every file': broken(
    ['onlyMatching'],
    migrations('included.some(pattern => matchesGlob(path, pattern)) &&', 'included.length > 0 ||'),
  ),
  'a push without matching files does not publish an existing preview': broken(
    ['oneNext'],
    ...checksExisting,
    nextStep(
      'const [kept, ...duplicates] =',
      "if (typeof observed.need === 'object') return { do: 'finish without', reason: '' }\n  const [kept, ...duplicates] =",
    ),
  ),
  'a push without matching files deletes an existing preview': broken(
    ['openKeeps', 'oneNext'],
    ...checksExisting,
    nextStep(
      "if (databases === 'one' && refusal === undefined) return",
      "if (databases === 'one' && refusal === undefined && typeof need !== 'object') return",
    ),
    nextStep('({ services, refusal }, { databases })', '({ services, refusal, need }, { databases })'),
    change(
      'preview/operations/create-preview.ts',
      '(await readReasonAgainst(context, preview)) === undefined ?',
      'context.settings.preview.paths === undefined && (await readReasonAgainst(context, preview)) === undefined ?',
    ),
  ),
  'closing deletes a preview only if files match': broken(
    ['asRuled', 'noneLeft'],
    deletePreview(
      'const reasons = new Set<string>()',
      `const reasons = new Set<string>()
  if (context.settings.preview.paths !== undefined) {
    const files = await context.github.readChangedFiles(preview.pullRequest ?? 0)
    if (!files.includes('db/1.sql')) return skip(preview, 'no changed file matches')
  }`,
    ),
  ),
}
