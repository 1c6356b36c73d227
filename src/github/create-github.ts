// Opens GitHub on first use.

import { once } from '#base/once'
import type { GitHub } from '#preview/base/github'
import type { GitHubOptions } from './github.ts'

/** GitHub for previews, with the token of the workflow. Loads and sends nothing before a method is called. */
export function createGitHub(options: GitHubOptions): GitHub {
  const github = once(async () => (await import('./github.ts')).openGitHub(options))
  return {
    readPullRequest: async number => await (await github()).readPullRequest(number),
    readPullRequests: async numbers => await (await github()).readPullRequests(numbers),
    readFiles: async of => await (await github()).readFiles(of),
    readChangedFiles: async number => await (await github()).readChangedFiles(number),
    listQueueHeads: async () => await (await github()).listQueueHeads(),
    writeComment: async (...given) => await (await github()).writeComment(...given),
    writeMigrations: async (...given) => await (await github()).writeMigrations(...given),
    readShownLoss: async (...given) => await (await github()).readShownLoss(...given),
    readApproval: async question => await (await github()).readApproval(question),
  }
}
