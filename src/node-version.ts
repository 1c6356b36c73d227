// Checks the version of Node.js.

/** The Node.js of `runs.using` in action.yml. */
const oldest = 24

/**
 * Whether the running Node.js can load the rest. If it is too old, one line reports it; otherwise the rest would fail
 * with a syntax error in a file of a single line. Old runners start it, and so do runners with
 * ACTIONS_RUNNER_FORCE_ACTIONS_NODE_VERSION. So Node.js 16 must be able to read this file and those that import it.
 */
export function isNodeRecent(): boolean {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= oldest) return true
  process.stdout.write(
    `::error title=Node.js is too old::this action needs Node.js ${oldest}, and the runner started it with ${node} — update the runner to 2.327.1 or newer, and remove settings that select an older Node.js\n`,
  )
  process.exitCode = 1
  return false
}
