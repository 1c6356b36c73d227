/**
 * The entry of the step (dist/index.js). The rest is in run.ts: an old Node.js could not parse it, and would print no
 * reason.
 */
import { isNodeRecent } from './node-version.ts'

if (isNodeRecent()) void import('./run.ts')
