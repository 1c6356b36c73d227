/** Reads the files of a pull request or the default branch. */
import * as z from 'zod/mini'
import type { FilesOf } from '#preview/base/github'
import { GitHubUnclearError } from './ask/errors.ts'
import type { Repository } from './ask/repository.ts'
import { readFields } from './pull-requests.ts'

const hash = z.string().check(z.regex(/^[0-9a-f]{40,64}$/))
/** The newest commits of a pull request. They are read again, since the event may describe older ones. */
const newest = z.looseObject({
  number: z.int(),
  head: z.looseObject({ sha: hash }),
  changed_files: z.int(),
  base: z.looseObject({ ref: z.string(), repo: z.looseObject({ id: z.int() }) }),
})
const changedFile = z.looseObject({ filename: z.string(), previous_filename: z.optional(z.string()) })
const branches = z.looseObject({ id: z.int(), default_branch: z.string() })
const tree = z.looseObject({
  truncated: z.boolean(),
  tree: z.array(z.looseObject({ path: z.string(), type: z.string(), sha: hash })),
})

const permission = 'contents: read'

/** Finds the commit or branch whose files to read, and its name for messages. */
async function findRevision(repository: Repository, of: FilesOf) {
  if (of === 'default branch') {
    const { default_branch } = await repository.readItself(permission, branches)
    return { tree_sha: default_branch, name: 'the default branch' }
  }
  if (typeof of === 'number') {
    const { head } = await readFields(repository, of, newest)
    return { tree_sha: head.sha, name: `pull request ${of}` }
  }
  const { base } = await readFields(repository, of.baseOf, newest)
  return { tree_sha: base.ref, name: `the base branch of pull request ${of.baseOf}` }
}

/** All files of a pull request or branch, with content hashes. Rejects if GitHub's list is doubtful or partial. */
export async function readFiles(repository: Repository, of: FilesOf): Promise<Map<string, string>> {
  const { tree_sha, name } = await findRevision(repository, of)
  const what = `reading the files of ${name}`
  const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}'
  const parameters = { tree_sha, recursive: '1' }
  const answer = await repository.read({ what, route, parameters, permission }, tree)
  if (answer.truncated) throw new GitHubUnclearError(what, 'an incomplete list')
  return new Map(answer.tree.filter(({ type }) => type === 'blob').map(({ path, sha }) => [path, sha]))
}

/** GitHub lists no more changed files: https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const mostListed = 3000

/** Every path that a pull request changes, with both paths of a renamed file. Rejects if GitHub does not list all. */
export async function readChangedFiles(repository: Repository, number: number): Promise<string[]> {
  const what = `reading the changed files of pull request ${number}`
  const { changed_files } = await readFields(repository, number, newest)
  if (changed_files > mostListed)
    throw new GitHubUnclearError(what, `${changed_files} files, of which GitHub lists ${mostListed}`)
  const request = {
    what,
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
    parameters: { pull_number: number },
    permission: 'pull-requests: read',
  }
  const files = await repository.readPages(request, changedFile)
  if (files.length < changed_files)
    throw new GitHubUnclearError(what, `${files.length} of ${changed_files} files`)
  return files.flatMap(({ filename, previous_filename }) => [filename, previous_filename ?? []].flat())
}
