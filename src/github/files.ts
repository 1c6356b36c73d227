import * as z from 'zod/mini'
import type { WorkflowEvent } from '../preview/base/github.ts'
import type { GitHubCall } from './ask/call.ts'
import { GitHubUnclearError } from './ask/errors.ts'
import { readShape } from './ask/exchange.ts'
import { checkRepository, parseRepository } from './ask/repository.ts'

const hash = z.string().check(z.regex(/^[0-9a-f]{40,64}$/))
const pullRequest = z.looseObject({
  number: z.int(),
  head: z.looseObject({ sha: hash }),
  base: z.looseObject({ repo: z.looseObject({ id: z.int() }) }),
})
const tree = z.looseObject({
  truncated: z.boolean(),
  tree: z.array(z.looseObject({ path: z.string(), type: z.string(), sha: hash })),
})

/**
 * All files at the newest commit of a pull request, each with the hash of its content. The commit is asked for, since that
 * of the event may have been replaced. Rejects on any doubtful answer, and where GitHub does not tell of all files.
 */
export async function readFiles(
  call: GitHubCall,
  event: WorkflowEvent,
  number: number,
): Promise<Map<string, string>> {
  const path = parseRepository(event.repository)
  const usual = { success: 200, repeatable: true } as const
  const reading = `reading pull request ${number}`
  const pull = await call({
    ...usual,
    what: reading,
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...path, pull_number: number },
    permission: 'pull-requests: read',
  })
  const found = readShape(reading, pull, pullRequest)
  checkRepository(event, reading, found.base.repo.id)
  if (found.number !== number)
    throw new GitHubUnclearError(reading, { status: 200, problem: `about pull request ${found.number}` })
  const what = `reading the files of pull request ${number}`
  const answer = await call({
    ...usual,
    what,
    route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
    parameters: { ...path, tree_sha: found.head.sha, recursive: '1' },
    permission: 'contents: read',
  })
  const { truncated, tree: entries } = readShape(what, answer, tree)
  if (truncated) throw new GitHubUnclearError(what, { status: 200, problem: 'only some of them' })
  return new Map(entries.filter(({ type }) => type === 'blob').map(({ path, sha }) => [path, sha]))
}
