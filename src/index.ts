import { isNodeRecent } from './node-version.ts'

// dist/index.js, the entry of the step. The rest is in another file, which an older Node.js cannot parse.
if (isNodeRecent()) void import('./run.ts')
