/**
 * A process that asks GitHub for the pull request of its first argument, as the action does, and tells the answer
 * on stdout: what the toolkit makes of the environment as it starts can only be seen in a new process.
 */
import { createRealSeam } from '#client/network/real-seam'
import { createGitHub } from '#github/create-github'
import { readEvent } from '#github/event'

const event = readEvent(process.env)
const github = createGitHub({
  token: process.env.GITHUB_TOKEN,
  event,
  environment: process.env,
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  seam: createRealSeam(),
  redact: text => text,
})
const { state } = await github.readPullRequest(Number(process.argv[2]))
process.stdout.write(JSON.stringify({ state, event: event.pullRequest ?? null }))
