import { intentName } from './action/state-name.ts'
import { isNodeRecent } from './node-version.ts'

// dist/post.js, the entry of the post step. Most steps create nothing, so the rest is not even loaded. (The runner
// passes the state in variables of this name: actions/runner, NodeScriptActionHandler.cs.)
if (process.env[`STATE_${intentName}`] && isNodeRecent()) void import('./run.ts')
