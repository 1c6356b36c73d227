// Reads the files of a pull request or the default branch.

import * as z from 'zod/mini'
import type { FilesOf, WorkflowEvent } from '#preview/base/github'
import type { GitHubCall } from './ask/call.ts'
import { GitHubUnclearError } from './ask/errors.ts'
import { readShape } from './ask/exchange.ts'
import { largestPage, readPages } from './ask/pages.ts'
import { checkRepository, parseRepository } from './ask/repository.ts'

const hash = z.string().check(z.regex(/^[0-9a-f]{40,64}$/))
const pullRequest = z.looseObject({
  number: z.int(),
  head: z.looseObject({ sha: hash }),
  changed_files: z.int(),
  base: z.looseObject({ ref: z.string(), repo: z.looseObject({ id: z.int() }) }),
})
const changedFile = z.looseObject({ filename: z.string(), previous_filename: z.optional(z.string()) })
const repository = z.looseObject({ id: z.int(), default_branch: z.string() })
const tree = z.looseObject({
  truncated: z.boolean(),
  tree: z.array(z.looseObject({ path: z.string(), type: z.string(), sha: hash })),
})

const usual = { success: 200, repeatable: true } as const

/** Reads the current pull request: the event may describe an older commit. */
async function readNewest(
  call: GitHubCall,
  event: WorkflowEvent,
  number: number,
): Promise<z.infer<typeof pullRequest>> {
  const reading = `reading pull request ${number}`
  const pull = await call({
    ...usual,
    what: reading,
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...parseRepository(event.repository), pull_number: number },
    permission: 'pull-requests: read',
  })
  const found = readShape(reading, pull, pullRequest)
  checkRepository(event, reading, found.base.repo.id)
  if (found.number !== number)
    throw new GitHubUnclearError(reading, { status: 200, problem: `about pull request ${found.number}` })
  return found
}

async function readDefaultBranch(call: GitHubCall, event: WorkflowEvent): Promise<string> {
  const what = `reading repository ${event.repository}`
  const answer = await call({
    ...usual,
    what,
    route: 'GET /repos/{owner}/{repo}',
    parameters: { ...parseRepository(event.repository) },
    permission: 'contents: read',
  })
  const { id, default_branch } = readShape(what, answer, repository)
  checkRepository(event, what, id)
  return default_branch
}

/** The commit or branch whose files are read, and its description. */
async function findRevision(call: GitHubCall, event: WorkflowEvent, of: FilesOf) {
  if (of === 'default branch')
    return { tree_sha: await readDefaultBranch(call, event), name: 'the default branch' }
  if (typeof of === 'number')
    return { tree_sha: (await readNewest(call, event, of)).head.sha, name: `pull request ${of}` }
  const { base } = await readNewest(call, event, of.baseOf)
  return { tree_sha: base.ref, name: `the base branch of pull request ${of.baseOf}` }
}

/**
 * All files at the newest commit of a pull request or of a branch, each with the hash of its content. Rejects on any doubtful
 * answer, and if GitHub does not list all files.
 */
export async function readFiles(
  call: GitHubCall,
  event: WorkflowEvent,
  of: FilesOf,
): Promise<Map<string, string>> {
  const { tree_sha, name } = await findRevision(call, event, of)
  const what = `reading the files of ${name}`
  const answer = await call({
    ...usual,
    what,
    route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
    parameters: { ...parseRepository(event.repository), tree_sha, recursive: '1' },
    permission: 'contents: read',
  })
  const { truncated, tree: entries } = readShape(what, answer, tree)
  if (truncated) throw new GitHubUnclearError(what, { status: 200, problem: 'an incomplete list' })
  return new Map(entries.filter(({ type }) => type === 'blob').map(({ path, sha }) => [path, sha]))
}

/** GitHub lists no more changed files: https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const mostListed = 3000

/** Every path that a pull request changes, with both paths of a renamed file. Rejects if GitHub does not list all. */
export async function readChangedFiles(
  call: GitHubCall,
  event: WorkflowEvent,
  number: number,
): Promise<string[]> {
  const what = `reading the changed files of pull request ${number}`
  const { changed_files } = await readNewest(call, event, number)
  const incomplete = (problem: string) => new GitHubUnclearError(what, { status: 200, problem })
  if (changed_files > mostListed)
    throw incomplete(`${changed_files} files, of which GitHub lists ${mostListed}`)
  const files = await readPages(
    call,
    {
      what,
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
      parameters: { ...parseRepository(event.repository), pull_number: number },
      permission: 'pull-requests: read',
    },
    changedFile,
    largestPage,
  )
  if (files.length < changed_files) throw incomplete(`${files.length} of ${changed_files} files`)
  return files.flatMap(({ filename, previous_filename }) => [filename, previous_filename ?? []].flat())
}
