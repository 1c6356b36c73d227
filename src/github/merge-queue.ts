// Reads the merge queue.

import * as z from 'zod/mini'
import type { WorkflowEvent } from '#preview/base/github'
import type { GitHubCall } from './ask/call.ts'
import { GitHubUnclearError } from './ask/errors.ts'
import { largestPage, readPages } from './ask/pages.ts'
import { checkItIsOurs, parseRepository } from './ask/repository.ts'

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
export async function listQueueHeads(call: GitHubCall, event: WorkflowEvent): Promise<Set<string>> {
  // A reference does not name its repository.
  await checkItIsOurs(call, event, permission)
  const what = 'listing the entries of the merge queue'
  const found = await readPages(
    call,
    {
      what,
      route: 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}',
      parameters: { ...parseRepository(event.repository), ref: prefix },
      permission,
    },
    reference,
    largestPage,
  )
  const stray = found.find(({ ref }) => !ref.startsWith(`refs/${prefix}`))
  if (stray) throw new GitHubUnclearError(what, { status: 200, problem: `about ${stray.ref}` })
  return new Set(found.map(({ object }) => object.sha))
}
