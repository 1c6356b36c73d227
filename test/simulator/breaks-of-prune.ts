/** Broken variants of prune-previews, and of the guards before every deletion. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const guard = changeIn('preview/base/guard.ts')
const pruneDecision = changeIn('preview/on-github/prune-decision.ts')
const subjectStates = changeIn('preview/on-github/subject-states.ts')
const sweep = changeIn('preview/prune/sweep.ts')
const remove = changeIn('preview/services/delete.ts')

const noParent = guard('if (parentId !== undefined && service', 'if (false && service')

export const pruneBreaks: Record<string, Break> = {
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
    sweep('facts = await this.subjects.readNow(service)', "facts = { state: before?.state ?? 'closed' }"),
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
    sweep('return state === before?.state ?', 'return state !== null ?'),
    sweep('facts = await this.subjects.readNow(service)', "facts = { state: before?.state ?? 'closed' }"),
  ),
  'a refusal of GitHub is a warning': broken(
    ['failsAfterRefusal'],
    subjectStates("outlook === 'lasts'", 'outlook === undefined'),
  ),
  'prune reads all pull requests before the first deletion': broken(
    ['prunesBeforeLimit'],
    subjectStates('previews.slice(0, concurrency)', 'previews'),
  ),
  'prune counts no deletions': broken(['maxDeletions'], sweep('this.#deletions <= maxDeletions', 'true')),
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
    change('preview/prune/prune.ts', '&& (namePrefix ?? name.prefix) === name.prefix', ''),
    noParent,
  ),
  'a deletion relies on an old record after a slow answer of GitHub': broken(
    ['justRead'],
    remove('isFresh || ', 'round > 0 || '),
  ),
}
