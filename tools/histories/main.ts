/**
 * Rehearses the migrations of public projects and compares the findings with the truth: `npm run histories -- --checkouts
 * FOLDER --squawk PROGRAM --eugene PROGRAM`. FOLDER has a checkout of each project in `projects.ts`. Prints each difference, and
 * writes the sum to docs/internals/performance.md unless `--only` chooses one project.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { psql, type Server, withDatabase } from '../bench/database.ts'
import { describeMachine } from '../bench/report.ts'
import { renderTable, writeMeasurement } from '../reference/documents.ts'
import { rehearseHistory } from './history.ts'
import { projects } from './projects.ts'
import { Scores } from './scores.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { checkouts: text, squawk: text, eugene: text, only: text } })
const { checkouts = '', only } = values
if (checkouts === '') throw new Error('--checkouts is missing: the folder of the checkouts')
const chosen = projects
  .filter(({ repository }) => only === undefined || repository.endsWith(only))
  .map(project => ({ ...project, checkout: join(checkouts, project.repository.split('/')[1] ?? '') }))
const missing = chosen.filter(one => !existsSync(join(one.checkout, one.folder)))
if (missing.length > 0)
  throw new Error(`no checkout of ${missing.map(one => one.repository).join(', ')} in ${checkouts}`)

const log = (line: string) => process.stdout.write(`${line}\n`)
await withDatabase('histories', measure)

async function measure(server: Server, root: string): Promise<void> {
  const sockets = await psql(server, ['-c', `select trim(current_setting('unix_socket_directories'), '"')`])
  await psql({ ...server, host: sockets.trim(), user: 'postgres' }, ['-c', 'alter role tsdbadmin superuser'])
  const scores = new Scores()
  const total = { ran: 0, files: 0 }
  for (const project of chosen) {
    const { ran, files } = await rehearseHistory(project, { server, root, programs: values, scores, log })
    total.ran += ran
    total.files += files
    log(`${project.repository}: ${ran} of ${files}`)
  }
  const table = renderTable(['finding', 'right / false / missed'], scores.render(), true)
  const ran = `${total.ran} of ${total.files} migrations of ${chosen.length} projects`
  const block = `\nMeasured on ${describeMachine()}. ${ran}.\n\n${table}\n`
  process.stdout.write(block)
  if (only === undefined) writeMeasurement('histories', block)
}
