/** Broken variants of prune-previews, and of the guards before every deletion. */
import { type Break, broken, change } from './breaking.ts'

const nothingLeft = 'nothing is left after delete-preview and prune'
const onlyClosed = 'prune deletes only what is closed'
const onlyOwn = 'a run deletes only its own records'

const noParent = change(
  'preview/base/guard.ts',
  'if (parentId !== undefined && service',
  'if (false && service',
)

export const pruneBreaks: Record<string, Break> = {
  'prune forgets what is closed': broken(
    [nothingLeft],
    change('preview/on-github/prune-decision.ts', "if (state === 'closed') return", 'if (false) return'),
  ),
  'prune deletes what is open': broken(
    [onlyClosed, nothingLeft],
    change(
      'preview/on-github/prune-decision.ts',
      "if (state === 'closed') return",
      "if (state === 'open') return",
    ),
  ),
  'prune does not ask again before it deletes': broken(
    [onlyClosed],
    change(
      'preview/prune/sweep.ts',
      'facts = await this.subjects.readNow(service)',
      "facts = { state: before?.state ?? 'closed' }",
    ),
  ),
  'a preview that was renamed since the list is deleted': broken(
    ['only the preview that was chosen is deleted, whatever its name is by then'],
    change(
      'preview/services/delete.ts',
      'reasonToKeepPreview(record, owner) ?? reasonRenamed(service, record)',
      'reasonToKeepPreview(record, owner)',
    ),
  ),
  'prune takes what GitHub does not tell of for closed': broken(
    [onlyClosed],
    change('preview/on-github/subject-states.ts', 'answers.has(pullRequestOf(service)) ||', 'true ||'),
    change(
      'preview/on-github/subject-states.ts',
      'answers.get(pullRequestOf(service)) ??',
      "answers.get(pullRequestOf(service)) ?? { state: 'closed' } ??",
    ),
    change('preview/prune/sweep.ts', 'return state === before?.state ?', 'return state !== null ?'),
    change(
      'preview/prune/sweep.ts',
      'facts = await this.subjects.readNow(service)',
      "facts = { state: before?.state ?? 'closed' }",
    ),
  ),
  'a refusal of GitHub is a warning': broken(
    ['prune fails where GitHub refuses for good'],
    change('preview/on-github/subject-states.ts', "outlook === 'lasts'", 'outlook === undefined'),
  ),
  'prune asks about all before it deletes any': broken(
    ['prune goes on where the limit of GitHub ended it'],
    change(
      'preview/on-github/subject-states.ts',
      'this.#context.github.readPullRequests([...numbers])',
      '(async () => { const all = new Map(); for (;;) { const left = [...numbers].filter(one => !all.has(one)); if (left.length === 0) return all; for (const [one, facts] of await this.#context.github.readPullRequests(left)) all.set(one, facts) } })()',
    ),
  ),
  'prune counts no deletions': broken(
    ['prune deletes max_deletions at most'],
    change('preview/prune/sweep.ts', 'this.#deletions <= maxDeletions', 'true'),
  ),
  'the guard lets tags go': broken(
    [onlyOwn],
    change('preview/base/guard.ts', 'if (tag !== undefined)', 'if (false)'),
  ),
  'only the tag PROD keeps': broken(
    [onlyOwn],
    change(
      'api/service-states.ts',
      "const harmless = ['', 'DEV',",
      "if (tag !== 'PROD') return undefined\n  const harmless = ['', 'DEV',",
    ),
  ),
  'prune takes every prefix': broken(
    [onlyOwn],
    change('preview/prune/prune.ts', '&& (namePrefix ?? name.prefix) === name.prefix', ''),
    noParent,
  ),
  'a record is old when GitHub answers at last': broken(
    ['a preview is deleted by a record just read'],
    change('preview/services/check-record.ts', 'isFresh || ', 'round > 0 || '),
  ),
}
