import { intentName } from './action/state-name.ts'
import { isNodeRecent } from './node-version.ts'

// dist/post.js, the end of the job. Most steps create nothing: then the rest is not even loaded. (The runner hands
// over the state in variables of this name: actions/runner, NodeScriptActionHandler.cs.)
if (process.env[`STATE_${intentName}`] && isNodeRecent()) void import('./run.ts')
