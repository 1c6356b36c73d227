/**
 * Preloaded by the scripts of package.json, in JavaScript that an old Node.js runs: prints one instruction if Node.js
 * cannot run TypeScript, or if `npm ci` was forgotten.
 */
import { existsSync } from 'node:fs'

/** Scripts that import no package, so that a fresh copy can be adopted at once. */
const needNoPackages = ['adopt']

const runsTypeScript = Boolean(process.features.typescript)
const hasPackages = existsSync(new URL('../node_modules', import.meta.url))
const script = process.env.npm_lifecycle_event ?? ''

if (!runsTypeScript) stop(`Node.js ${process.versions.node} cannot run this project's TypeScript.`)
else if (!hasPackages && !needNoPackages.includes(script)) stop('The packages of this project are missing.')

/** @param {string} problem */
function stop(problem) {
  process.stderr.write(`${problem} Run "npm ci" first: it installs the packages and Node.js 24.\n`)
  process.exit(1)
}
