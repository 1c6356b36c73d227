/**
 * A process that reads the pull request of its first argument, as the action does, and prints the answer. Only a new
 * process shows how the toolkit reads the environment at its start.
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
