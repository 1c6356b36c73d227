/** Loads the access to GitHub on first use, and records its requests in the timeline. */
import { once } from '#base/once'
import type { TimelineRecorder } from '#operations/base/timeline'
import type { GitHub } from '#preview/base/github'
import type { GitHubOptions } from './github.ts'

/** Access to GitHub with the token of the workflow. Loads and sends nothing before a method is called. */
export function createGitHub(
  options: GitHubOptions,
  time: TimelineRecorder['time'] = (_, run) => run(),
): GitHub {
  const github = once(async () => (await import('./github.ts')).openGitHub(options))
  const ask = <Answer>(use: (opened: GitHub) => Promise<Answer>, name = 'asking GitHub') =>
    time(name, async () => await use(await github()))
  return {
    readPullRequest: number => ask(opened => opened.readPullRequest(number)),
    listPullRequests: oldest => ask(opened => opened.listPullRequests(oldest)),
    readFiles: of => ask(opened => opened.readFiles(of)),
    readChangedFiles: number => ask(opened => opened.readChangedFiles(number)),
    listQueueHeads: () => ask(opened => opened.listQueueHeads()),
    writeComment: (...given) => ask(opened => opened.writeComment(...given), 'writing the comment'),
    writeMigrations: (...given) => ask(opened => opened.writeMigrations(...given), 'writing the comment'),
    readShownLoss: (...given) => ask(opened => opened.readShownLoss(...given), 'reading the comment'),
    readApproval: question => ask(opened => opened.readApproval(question), 'reading the approval'),
  }
}
