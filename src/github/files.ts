import * as z from 'zod/mini'
import type { WorkflowEvent } from '../preview/base/github.ts'
import type { GitHubCall } from './ask/call.ts'
import { GitHubUnclearError } from './ask/errors.ts'
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

async function get<Schema extends z.ZodMiniType>(
  call: GitHubCall,
  asked: { what: string; route: string; parameters: Record<string, unknown>; permission: string },
  schema: Schema,
): Promise<z.infer<Schema>> {
  const answer = await call({ ...asked, success: 200, repeatable: true })
  const parsed = schema.safeParse(answer.data)
  if (parsed.success) return parsed.data
  throw new GitHubUnclearError(asked.what, { status: 200, problem: 'not of the expected shape' })
}

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
  const reading = `reading pull request ${number}`
  const found = await get(
    call,
    {
      what: reading,
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
      parameters: { ...path, pull_number: number },
      permission: 'pull-requests: read',
    },
    pullRequest,
  )
  checkRepository(event, reading, found.base.repo.id)
  if (found.number !== number)
    throw new GitHubUnclearError(reading, { status: 200, problem: `about pull request ${found.number}` })
  const what = `reading the files of pull request ${number}`
  const { truncated, tree: entries } = await get(
    call,
    {
      what,
      route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
      parameters: { ...path, tree_sha: found.head.sha, recursive: '1' },
      permission: 'contents: read',
    },
    tree,
  )
  if (truncated) throw new GitHubUnclearError(what, { status: 200, problem: 'only some of them' })
  return new Map(entries.filter(({ type }) => type === 'blob').map(({ path, sha }) => [path, sha]))
}
