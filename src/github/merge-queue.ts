import * as z from 'zod/mini'
import type { WorkflowEvent } from '../preview/base/github.ts'
import type { GitHubCall } from './ask/call.ts'
import { GitHubUnclearError } from './ask/errors.ts'
import { largestPage, readPages } from './ask/pages.ts'
import { checkRepository, parseRepository } from './ask/repository.ts'

/** The branches of the entries of all merge queues: `gh-readonly-queue/<base>/pr-<number>-<sha>`. */
const prefix = 'heads/gh-readonly-queue/'

const permission = 'contents: read'
const repository = z.looseObject({ id: z.int() })
const reference = z.looseObject({
  ref: z.string(),
  object: z.looseObject({ sha: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)) }),
})

/** A reference does not name its repository, so the repository is asked for its id. */
async function checkItIsOurs(call: GitHubCall, event: WorkflowEvent): Promise<void> {
  const what = `reading repository ${event.repository}`
  const route = 'GET /repos/{owner}/{repo}'
  const parameters = { ...parseRepository(event.repository) }
  const answer = await call({ what, route, parameters, permission, success: 200, repeatable: true })
  const found = repository.safeParse(answer.data)
  if (!found.success)
    throw new GitHubUnclearError(what, { status: 200, problem: 'not of the expected shape' })
  checkRepository(event, what, found.data.id)
}

/**
 * The commits that the merge queues of the repository check at this moment. Rejects on any doubtful answer, since
 * databases are deleted by what it says.
 */
export async function listQueueHeads(call: GitHubCall, event: WorkflowEvent): Promise<Set<string>> {
  await checkItIsOurs(call, event)
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
