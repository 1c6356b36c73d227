/** What `runs.using` of action.yml asks for. */
const oldest = 24

/**
 * Whether the Node.js that runs this is one that the rest can be loaded by. Where it is older, one line says so: what
 * follows would otherwise fail as a syntax error, in a file of a single line. Old runners, and those that
 * ACTIONS_RUNNER_FORCE_ACTIONS_NODE_VERSION or a copy of the runner makes old, do start it. So this file and those
 * that import it keep to what Node.js 16 understands.
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
