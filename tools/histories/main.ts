/**
 * Rehearses the migrations of public projects and compares the findings with the truth: `npm run histories -- --checkouts
 * FOLDER --squawk PROGRAM --eugene PROGRAM`. FOLDER has a checkout of each project in `projects.ts`. Prints each difference, and
 * writes the sum to docs/internals/performance.md unless `--only` chooses one project.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { psql, type Server, withDatabase } from '../bench/database.ts'
import { describeMachine, renderTable } from '../bench/report.ts'
import { replaceBlock } from '../reference/generated-block.ts'
import { rehearseHistory } from './history.ts'
import { projects } from './projects.ts'
import { Scores } from './scores.ts'

const { values } = parseArgs({
  options: {
    checkouts: { type: 'string' },
    programs: { type: 'string' },
    squawk: { type: 'string' },
    eugene: { type: 'string' },
    only: { type: 'string' },
    most: { type: 'string', default: '10000' },
  },
})
const { checkouts = '', programs, only } = values
if (checkouts === '') throw new Error('--checkouts is missing: the folder of the checkouts')
const chosen = projects.filter(({ repository }) => only === undefined || repository.endsWith(only))
const missing = chosen.filter(
  one => !existsSync(join(checkouts, one.repository.split('/')[1] ?? '', one.folder)),
)
if (missing.length > 0)
  throw new Error(`no checkout of ${missing.map(one => one.repository).join(', ')} in ${checkouts}`)

const log = (line: string) => process.stdout.write(`${line}\n`)
await withDatabase('histories', measure, programs === undefined ? {} : { postgres: programs })

async function measure(server: Server, root: string): Promise<void> {
  const sockets = await psql(server, ['-c', `select trim(current_setting('unix_socket_directories'), '"')`])
  await psql({ ...server, host: sockets.trim(), user: 'postgres' }, ['-c', 'alter role tsdbadmin superuser'])
  const all = new Scores()
  const total = { ran: 0, files: 0 }
  for (const project of chosen) {
    const scores = new Scores(all)
    const bench = { server, checkouts, root, most: Number(values.most), programs: values, scores, log }
    const { ran, files } = await rehearseHistory(project, bench)
    total.ran += ran
    total.files += files
    log([project.repository, `${ran} of ${files}`, ...scores.render().map(row => row.join(' '))].join(' | '))
  }
  const table = renderTable(['finding', 'right / false / missed'], all.render())
  const ran = `${total.ran} of ${total.files} migrations of ${chosen.length} projects`
  const block = `\nMeasured on ${describeMachine()}. ${ran}.\n\n${table.join('\n')}\n`
  process.stdout.write(block)
  const file = join(import.meta.dirname, '../../docs/internals/performance.md')
  if (only === undefined) writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), 'histories', block))
}
