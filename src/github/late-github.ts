import type { GitHub } from '../preview/github.ts'
import type { GitHubOptions } from './create-github.ts'

/** GitHub for the operations that may ask it. Its client is loaded at the first request, and most steps make none. */
export function lateGitHub(options: GitHubOptions): GitHub {
  let opened: Promise<GitHub> | undefined
  const open = () => {
    opened ??= import('./create-github.ts').then(({ createGitHub }) => createGitHub(options))
    return opened
  }
  return {
    event: options.event,
    readPullRequest: async number => await (await open()).readPullRequest(number),
    readPullRequests: async numbers => await (await open()).readPullRequests(numbers),
    listQueueHeads: async () => await (await open()).listQueueHeads(),
    writeComment: async (...comment) => await (await open()).writeComment(...comment),
  }
}
