import { isNodeRecent } from './node-version.ts'

// dist/index.js, the step. All else is in another file, which an older Node.js could not even read.
if (isNodeRecent()) void import('./run.ts')
