import { basename } from 'node:path'
import { leave } from './action/cancellation.ts'
import { openHost } from './action/host.ts'
import { outliveReaders } from './action/outlive-readers.ts'
import { main } from './main.ts'
import { post } from './post.ts'

outliveReaders()

// One bundle serves both entries: the runner starts dist/index.js for the step and dist/post.js, which only
// imports it, at the end of the job. A mark in the state would be missing when the step was killed early, and
// the end of the job would run the step a second time.
const run = basename(process.argv[1] ?? '') === 'post.js' ? post : main
await run(openHost())
await leave()
