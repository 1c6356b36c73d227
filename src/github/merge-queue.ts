/** Reads the merge queue. */
import * as z from 'zod/mini'
import { GitHubUnclearError } from './ask/errors.ts'
import { identity, type Repository } from './ask/repository.ts'

/** The branches of all merge queue entries: `gh-readonly-queue/<base>/pr-<number>-<sha>`. */
const prefix = 'heads/gh-readonly-queue/'

const permission = 'contents: read'
const reference = z.looseObject({
  ref: z.string(),
  object: z.looseObject({ sha: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)) }),
})

/**
 * The commits that are in the merge queues of the repository. Rejects on any doubtful answer, since the
 * action deletes databases based on it.
 */
export async function listQueueHeads(repository: Repository): Promise<Set<string>> {
  // A reference does not name its repository, so the repository is verified first.
  await repository.readItself(permission, identity)
  const what = 'listing the entries of the merge queue'
  const route = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}'
  const references = await repository.readPages(
    { what, route, parameters: { ref: prefix }, permission },
    reference,
  )
  const unexpected = references.find(({ ref }) => !ref.startsWith(`refs/${prefix}`))
  if (unexpected) throw new GitHubUnclearError(what, `about ${unexpected.ref}`)
  return new Set(references.map(({ object }) => object.sha))
}
