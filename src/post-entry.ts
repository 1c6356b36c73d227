/**
 * The entry of the post step (dist/post.js). Loads the rest only if the step saved an intent: most steps create
 * nothing.
 */
import { intentName } from './action/state-name.ts'
import { isNodeRecent } from './node-version.ts'

// The runner passes the state of a step in variables with this prefix (actions/runner, NodeScriptActionHandler.cs).
if (process.env[`STATE_${intentName}`] && isNodeRecent()) void import('./run.ts')
