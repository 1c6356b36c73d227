/** Broken variants of the input `paths`. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const asRuled = 'state, labels and drafts decide whether a pull request has a preview'
const openKeeps = 'a reopened pull request keeps its preview'
const oneNext = 'the next run publishes the only database'
const onlyMatching = 'only a pull request that changes matching files gets a preview'

const deletePreview = changeIn('preview/operations/delete-preview.ts')
const migrations = changeIn('preview/prepare/migrations.ts')
const nextStep = changeIn('preview/reconcile/next-step.ts')

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
    [onlyMatching],
    nextStep("if (need === 'given') return", 'if (need) return'),
  ),
  'paths matches every file': broken(
    [onlyMatching],
    migrations('included.some(pattern => matchesGlob(path, pattern)) &&', 'included.length > 0 ||'),
  ),
  'a push without matching files does not publish an existing preview': broken(
    [oneNext],
    ...checksExisting,
    nextStep(
      'const [kept, ...duplicates] =',
      "if (typeof observed.need === 'object') return { do: 'finish without', reason: '' }\n  const [kept, ...duplicates] =",
    ),
  ),
  'a push without matching files deletes an existing preview': broken(
    [openKeeps, oneNext],
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
    [asRuled, 'no preview is left after delete-preview and prune'],
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
