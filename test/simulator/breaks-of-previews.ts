/** Broken variants of creating, replacing, deleting and pruning previews. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const nextStep = changeIn('preview/reconcile/next-step.ts')
const waits = changeIn('preview/reconcile/waits.ts')

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

const replacement = changeIn('preview/reconcile/replacement.ts')

const guard = changeIn('preview/base/guard.ts')
const pruneDecision = changeIn('preview/on-github/prune-decision.ts')
const subjectStates = changeIn('preview/on-github/subject-states.ts')
const sweep = changeIn('preview/prune/sweep.ts')
const remove = changeIn('preview/services/delete.ts')

const noParent = guard('if (parentId !== undefined && service', 'if (false && service')

export const previewBreaks: Record<string, Break> = {
  // create-preview and delete-preview.
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
  // The input paths.
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
      'const run = new Run(',
      `if (context.settings.preview.paths !== undefined) {
    const files = await context.github.readChangedFiles(preview.pullRequest ?? 0)
    if (!files.includes('db/1.sql')) return skip(preview, 'no changed file matches')
  }
  const run = new Run(`,
    ),
  ),
  // Replacing a preview.
  'a reset does not wait until the old one is gone': broken(
    ['newAfterReset'],
    waits(
      'await waitUntilGone(context, run.idsOf(id), isYoung(context, observer.record(id)))',
      'if (!observer.knowledgeOf(id).isReplaced) await waitUntilGone(context, run.idsOf(id), isYoung(context, observer.record(id)))',
    ),
  ),
  'a reset replaces nothing': broken(
    ['newAfterReset'],
    change(
      'preview/operations/create-preview.ts',
      'await ensurePreview(given, context, true)',
      'await ensurePreview(given, context)',
    ),
  ),
  'a reset checks only forks with its own name': broken(
    ['originsStay'],
    replacement('const forks = await listForks(context, preview.projectId)', 'const forks = run.replaced'),
    replacement(
      'forks = await listForks(context, preview.projectId)\n    const reason',
      'forks = run.replaced\n    const reason',
    ),
  ),
  'a failed reset does not name what it deleted': broken(
    ['namesLostData'],
    replacement('if (replaced.length > 0)', 'if (replaced.length > 9)'),
  ),
  'a reset whose database another reset deleted gives up': broken(
    ['takesOver'],
    change('preview/reconcile/waits.ts', 'if (isFollowed) return', 'if (false) return'),
  ),
  'a reset deletes all previews of the repository': broken(
    ['onlyOwn'],
    change(
      'preview/reconcile/observer.ts',
      'const found = await findPreviews(this.#context, this.#preview, this.otherPrefixes)',
      "const found = (await this.#context.client.call('list-services', { project_id: this.#preview.projectId })).filter(({ name = '' }) => name.includes(this.#preview.repositoryHash))",
    ),
    change('preview/base/guard.ts', 'return previewBaseOf(service.name) === base ?', 'return base ?'),
  ),
  // prune-previews, and the guards before every deletion.
  'prune ignores closed pull requests': broken(
    ['noneLeft'],
    pruneDecision("if (state === 'closed') return", 'if (false) return'),
  ),
  'prune deletes previews of open pull requests': broken(
    ['onlyClosed', 'noneLeft'],
    pruneDecision("if (state === 'closed') return", "if (state === 'open') return"),
  ),
  'prune does not read the pull request again before a deletion': broken(
    ['onlyClosed'],
    sweep('facts = await subjects.readNow(service)', "facts = { state: before?.state ?? 'closed' }"),
  ),
  'a preview that was renamed since the list is deleted': broken(
    ['onlyChosen'],
    remove(
      'reasonToKeepPreview(record, owner) ?? reasonRenamed(service, record)',
      'reasonToKeepPreview(record, owner)',
    ),
  ),
  'prune treats an unanswered pull request as closed': broken(
    ['onlyClosed'],
    subjectStates(
      'github.readPullRequest(number)',
      "github.readPullRequest(number).catch(() => ({ state: 'closed' }))",
    ),
    sweep('if (state === before?.state) return', 'if (state !== null) return'),
    sweep('facts = await subjects.readNow(service)', "facts = { state: before?.state ?? 'closed' }"),
  ),
  'a refusal of GitHub is a warning': broken(
    ['failsAfterRefusal'],
    subjectStates("outlook === 'lasts'", 'outlook === undefined'),
  ),
  'prune reads all pull requests before the first deletion': broken(
    ['prunesBeforeLimit'],
    subjectStates('previews.slice(0, concurrency)', 'previews'),
  ),
  'prune counts no deletions': broken(['maxDeletions'], sweep('deletions <= maxDeletions', 'true')),
  'the guard ignores tags': broken(['onlyOwn'], guard('if (tag !== undefined)', 'if (false)')),
  'the guard honors only the tag PROD': broken(
    ['onlyOwn'],
    change(
      'api/service-states.ts',
      "const harmless = ['', 'DEV',",
      "if (tag !== 'PROD') return undefined\n  const harmless = ['', 'DEV',",
    ),
  ),
  'prune deletes previews with every prefix': broken(
    ['onlyOwn'],
    change('preview/prune/prune.ts', 'namePrefix === undefined ||', 'true ||'),
    noParent,
  ),
  'a deletion relies on an old record after a slow answer of GitHub': broken(
    ['justRead'],
    remove('isFresh || ', 'round > 0 || '),
  ),
}
