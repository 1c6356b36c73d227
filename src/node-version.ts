/** What `runs.using` of action.yml asks for. */
const oldest = 24

/**
 * Whether the running Node.js can load the rest. If it is too old, one line says so; otherwise the rest would fail with a
 * syntax error in a file of a single line. Old runners do start it, and so do runners told to use an old Node.js by
 * ACTIONS_RUNNER_FORCE_ACTIONS_NODE_VERSION. So this file and those that import it must be readable by Node.js 16.
 */
export function isNodeRecent(): boolean {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= oldest) return true
  process.stdout.write(
    `::error title=Node.js is too old::this action needs Node.js ${oldest}, and the runner started it with ${node} — update the runner to 2.327.1 or newer, and take away settings that make it use an older Node.js\n`,
  )
  process.exitCode = 1
  return false
}
