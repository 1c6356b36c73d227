/**
 * Rehearses the migrations of public projects and compares the findings with the truth: `npm run histories -- --checkouts
 * FOLDER --squawk PROGRAM --eugene PROGRAM`. FOLDER has a checkout of each project in `projects.ts`. Prints each difference, and
 * writes the sum to docs/internals/performance.md unless `--only` chooses one project.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import { describeMachine, renderTable } from '../bench/report.ts'
import { replaceBlock } from '../reference/generated-block.ts'
import { rehearseHistory } from './history.ts'
import { projects } from './projects.ts'
import { psql } from './psql.ts'
import { headings, Scores } from './scores.ts'

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
const { checkouts, programs, only } = values
if (checkouts === undefined) throw new Error('--checkouts is missing: the folder of the checkouts')
const chosen = projects.filter(({ repository }) => only === undefined || repository.endsWith(only))
const missing = chosen.filter(
  one => !existsSync(join(checkouts, one.repository.split('/')[1] ?? '', one.folder)),
)
if (missing.length > 0)
  throw new Error(`no checkout of ${missing.map(one => one.repository).join(', ')} in ${checkouts}`)

const log = (line: string) => process.stdout.write(`${line}\n`)
const root = mkdtempSync(join(tmpdir(), 'histories-'))
chmodSync(root, 0o755)
const clusters = await openClusters({ root, snapshotAfter: 86_400_000, ...(programs && { programs }) })
try {
  const password = 'a-password-of-histories'
  const { host, port } = await clusters.createService('histories', password)
  const server = { host, port, user: 'tsdbadmin', password, database: 'tsdb', sslmode: 'require' }
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
    log([project.repository, `${ran} of ${files}`, ...scores.render()].join(' | '))
  }
  const figures = all.render()
  const table = renderTable(
    ['finding', 'right / false / missed'],
    headings.map((heading, index) => [heading, figures[index] ?? '']),
  )
  const ran = `${total.ran} of ${total.files} migrations of ${chosen.length} projects`
  const block = `\nMeasured on ${describeMachine()}. ${ran}.\n\n${table.join('\n')}\n`
  process.stdout.write(block)
  const file = join(import.meta.dirname, '../../docs/internals/performance.md')
  if (only === undefined) writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), 'histories', block))
} finally {
  await clusters.close()
  rmSync(root, { recursive: true, force: true })
}
