/** Checks the version of Node.js before the rest of the action loads. */

/** The Node.js of `runs.using` in action.yml. */
const requiredVersion = 24

/**
 * Whether the running Node.js can load the rest of the action. If it is too old, this logs one error: loading would end
 * with a syntax error in a minified file. An old Node.js comes from an old runner, or from a runner with
 * ACTIONS_RUNNER_FORCE_ACTIONS_NODE_VERSION. Node.js 16 must be able to parse this file and the files that import it.
 */
export function isNodeRecent(): boolean {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= requiredVersion) return true
  process.stdout.write(
    `::error title=Node.js is too old::this action needs Node.js ${requiredVersion}, and the runner started it with ${node} — update the runner to 2.327.1 or newer, and remove settings that select an older Node.js\n`,
  )
  process.exitCode = 1
  return false
}
