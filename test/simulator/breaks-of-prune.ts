/** Broken variants of prune-previews, and of the guards before every deletion. */
import { type Break, broken, change } from './breaking.ts'

const nothingLeft = 'no preview is left after delete-preview and prune'
const onlyClosed = 'prune deletes only previews of closed pull requests'
const onlyOwn = 'a run deletes only its own records'

const noParent = change(
  'preview/base/guard.ts',
  'if (parentId !== undefined && service',
  'if (false && service',
)

export const pruneBreaks: Record<string, Break> = {
  'prune ignores closed pull requests': broken(
    [nothingLeft],
    change('preview/on-github/prune-decision.ts', "if (state === 'closed') return", 'if (false) return'),
  ),
  'prune deletes previews of open pull requests': broken(
    [onlyClosed, nothingLeft],
    change(
      'preview/on-github/prune-decision.ts',
      "if (state === 'closed') return",
      "if (state === 'open') return",
    ),
  ),
  'prune does not read the pull request again before a deletion': broken(
    [onlyClosed],
    change(
      'preview/prune/sweep.ts',
      'facts = await this.subjects.readNow(service)',
      "facts = { state: before?.state ?? 'closed' }",
    ),
  ),
  'a preview that was renamed since the list is deleted': broken(
    ['a preview that was renamed meanwhile is not deleted'],
    change(
      'preview/services/delete.ts',
      'reasonToKeepPreview(record, owner) ?? reasonRenamed(service, record)',
      'reasonToKeepPreview(record, owner)',
    ),
  ),
  'prune treats an unanswered pull request as closed': broken(
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
    ['prune fails after a lasting refusal by GitHub'],
    change('preview/on-github/subject-states.ts', "outlook === 'lasts'", 'outlook === undefined'),
  ),
  'prune reads all pull requests before the first deletion': broken(
    ['prune deletes previews before the rate limit of GitHub ends it'],
    change(
      'preview/on-github/subject-states.ts',
      'this.#context.github.readPullRequests([...numbers])',
      '(async () => { const all = new Map(); for (;;) { const left = [...numbers].filter(one => !all.has(one)); if (left.length === 0) return all; for (const [one, facts] of await this.#context.github.readPullRequests(left)) all.set(one, facts) } })()',
    ),
  ),
  'prune counts no deletions': broken(
    ['prune deletes at most max_deletions previews'],
    change('preview/prune/sweep.ts', 'this.#deletions <= maxDeletions', 'true'),
  ),
  'the guard ignores tags': broken(
    [onlyOwn],
    change('preview/base/guard.ts', 'if (tag !== undefined)', 'if (false)'),
  ),
  'the guard honors only the tag PROD': broken(
    [onlyOwn],
    change(
      'api/service-states.ts',
      "const harmless = ['', 'DEV',",
      "if (tag !== 'PROD') return undefined\n  const harmless = ['', 'DEV',",
    ),
  ),
  'prune deletes previews with every prefix': broken(
    [onlyOwn],
    change('preview/prune/prune.ts', '&& (namePrefix ?? name.prefix) === name.prefix', ''),
    noParent,
  ),
  'a deletion relies on an old record after a slow answer of GitHub': broken(
    ['a preview is deleted only right after a read of its record'],
    change('preview/services/delete.ts', 'isFresh || ', 'round > 0 || '),
  ),
}
