/** Reads pull requests and the merge queue. */
import * as z from 'zod/mini'
import { parseTimestamp } from '#base/timestamp'
import type { PullRequest } from '#preview/base/github'
import { GitHubUnclearError, isNotFound } from './ask/errors.ts'
import { identity, type Repository } from './ask/repository.ts'

const permission = 'pull-requests: read'

const schema = z.looseObject({
  number: z.int().check(z.positive()),
  state: z.enum(['open', 'closed']),
  closed_at: z.nullish(z.string()),
  updated_at: z.nullish(z.string()),
  labels: z.array(z.looseObject({ name: z.string() })),
  /** Optional in GitHub's description; a pull request without it is not a draft. */
  draft: z.optional(z.boolean()),
  base: z.looseObject({ repo: z.looseObject({ id: z.int() }) }),
})

/** Reads the wanted fields of a pull request, and verifies that it is the requested one. */
export async function readFields<Found extends { number: number; base: { repo: { id: number } } }>(
  repository: Repository,
  number: number,
  shape: z.ZodMiniType<Found>,
): Promise<Found> {
  const what = `reading pull request ${number}`
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const parameters = { pull_number: number }
  const record = await repository.read({ what, route, parameters, permission }, shape)
  repository.assertSame(what, record.base.repo.id)
  if (record.number === number) return record
  throw new GitHubUnclearError(what, `about pull request ${record.number}`)
}

const listRequest = { what: 'listing pull requests', route: 'GET /repos/{owner}/{repo}/pulls', permission }

/**
 * Verifies that the token can read this repository and its pull requests. GitHub also answers 404 if the
 * token has no access. So a 404 means a missing pull request only if the token can read others.
 */
async function checkReadable(repository: Repository): Promise<void> {
  await repository.readItself(permission, identity)
  const parameters = { state: 'all', per_page: 1 }
  await repository.read({ ...listRequest, parameters }, z.array(schema))
}

const toPullRequest = (record: z.infer<typeof schema>): PullRequest => ({
  state: record.state,
  closedAt: parseTimestamp(record.closed_at),
  updatedAt: parseTimestamp(record.updated_at),
  labels: record.labels.map(({ name }) => name),
  draft: record.draft ?? false,
})

/** Fifty pull requests are at most 13 MiB, below the limit of an answer. */
const pageSize = 50
const mostPages = 40

/** Lists the newest pull requests by number, down to `oldest` or up to 2,000. Rejects on any doubtful answer. */
export async function listPullRequests(
  repository: Repository,
  oldest: number,
): Promise<Map<number, PullRequest>> {
  const found = new Map<number, PullRequest>()
  for (let page = 1; page <= mostPages; page++) {
    const parameters = { state: 'all', sort: 'created', direction: 'desc', per_page: pageSize, page }
    const records = await repository.read({ ...listRequest, parameters }, z.array(schema))
    for (const record of records) {
      repository.assertSame(listRequest.what, record.base.repo.id)
      found.set(record.number, toPullRequest(record))
    }
    if (records.length < pageSize || records.some(({ number }) => number <= oldest)) break
  }
  return found
}

/** Reads a pull request. Rejects on any doubtful answer, since the action deletes databases based on it. */
export async function readPullRequest(repository: Repository, number: number): Promise<PullRequest> {
  try {
    return toPullRequest(await readFields(repository, number, schema))
  } catch (failure) {
    if (!isNotFound(failure)) throw failure
    await checkReadable(repository)
    return { state: 'missing', labels: [], draft: false }
  }
}

/** The branches of all merge queue entries: `gh-readonly-queue/<base>/pr-<number>-<sha>`. */
const prefix = 'heads/gh-readonly-queue/'

const reference = z.looseObject({
  ref: z.string(),
  object: z.looseObject({ sha: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)) }),
})

/** The commits in the merge queues. Rejects on any doubtful answer, since the action deletes databases based on it. */
export async function listQueueHeads(repository: Repository): Promise<Set<string>> {
  const permission = 'contents: read'
  // A reference does not name its repository, so the repository is verified first.
  await repository.readItself(permission, identity)
  const what = 'listing the entries of the merge queue'
  const route = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}'
  const request = { what, route, parameters: { ref: prefix }, permission }
  const references = await repository.readPages(request, reference)
  const unexpected = references.find(({ ref }) => !ref.startsWith(`refs/${prefix}`))
  if (unexpected) throw new GitHubUnclearError(what, `about ${unexpected.ref}`)
  return new Set(references.map(({ object }) => object.sha))
}
