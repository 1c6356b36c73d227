/** Rehearses the migrations of one project in their order, each beside the truth on a copy of the same database. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keysOf } from '#base/table'
import type { Rehearsal } from '#contents/rehearsal/result/stored'
import { withSession } from '#postgres/session'
import { isForTransaction, psql, type Server } from '../bench/psql.ts'
import { fillTables } from './fill-tables.ts'
import { type LinterName, lint, linters } from './linters.ts'
import { measure } from './measure.ts'
import type { Project } from './projects.ts'
import type { Scores } from './scores.ts'
import { findTruth, modes, type Truth } from './truth.ts'

/** The surroundings of a history. `programs`: the paths of the linters, by their names. */
interface Bench {
  server: Server
  checkouts: string
  root: string
  programs: Partial<Record<LinterName, string | undefined>>
  scores: Scores
  log: (line: string) => void
}

const limits = { timeout: 120_000, signal: new AbortController().signal, mostBytes: 2 ** 26, forJson: true }

/** `BEGIN` and `COMMIT` as lines of their own: the transaction is that of the project's tool. */
const ownTransaction = /^\s*(?:begin|commit)(?:\s+transaction)?\s*;\s*$/gim

/** The name of a lock, as the server has it: `AccessExclusiveLock` for `ACCESS EXCLUSIVE`. */
const modeOf = (mode: string) =>
  `${mode.toLowerCase().replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}Lock`

function strongestLocks({ statements }: Rehearsal): Map<string, string> {
  const strongest = new Map<string, string>()
  for (const { table, mode } of statements.flatMap(({ locks }) => locks)) {
    const name = modeOf(mode)
    if (modes.indexOf(name) > modes.indexOf(strongest.get(table) ?? '')) strongest.set(table, name)
  }
  return strongest
}

const rewrittenBy = ({ statements }: Rehearsal) =>
  new Set(statements.flatMap(one => one.rewrites.filter(({ bytes }) => bytes > 0).map(({ table }) => table)))

/** The truth, with the rows of the database if it lets them be: a row that was made up may break a migration. */
async function findOnCopy(server: Server, file: string): Promise<{ truth: Truth; transaction: boolean }> {
  const copy = { ...server, database: 'truth' }
  for (const transaction of [true, false]) {
    await psql({ ...server, database: 'postgres' }, [
      ...['-c', 'drop database if exists truth with (force)'],
      ...['-c', `create database truth template ${server.database}`],
    ])
    try {
      return { truth: await findTruth(copy, file, transaction), transaction }
    } catch (error) {
      if (!transaction || isForTransaction(String(error))) throw error
    }
  }
  throw new Error('unreachable')
}

/** Names begin with a time, with or without hyphens in it. */
const orderOf = (name: string) => name.replaceAll('-', '')

const emptyAll = `do $$ begin execute (select 'truncate ' || string_agg(c.oid::regclass::text, ',') || ' cascade' from pg_class c
  join pg_namespace n on n.oid = c.relnamespace where relkind = 'r' and nspname !~ '^(pg_|information_schema$)'); end $$`

export async function rehearseHistory(
  project: Project,
  bench: Bench,
): Promise<{ ran: number; files: number }> {
  const { server, checkouts, root, programs, scores, log } = bench
  const folder = join(checkouts, project.repository.split('/')[1] ?? '', project.folder)
  const files = globSync('**/*.sql', { cwd: folder }).filter(name => project.pattern.test(`/${name}`))
  const chosen = files.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  const database = { ...server, database: 'history' }
  const onServer = { ...server, database: 'postgres' }
  await psql(onServer, [
    '-c',
    'drop database if exists history with (force)',
    '-c',
    'create database history',
  ])
  const file = join(root, 'migration.sql')
  let ran = 0
  const refused = new Set<string>()
  for (const name of chosen) {
    const whole = readFileSync(join(folder, name), 'utf8')
    const text = (project.select?.(whole) ?? whole).replaceAll(ownTransaction, '')
    writeFileSync(file, text)
    await withSession(database, limits, session => fillTables(session, refused))
    const differ = (checker: string, what: string, word: string | undefined) =>
      word && log(`${project.repository} ${name}: ${checker} ${word}: ${what}`)
    let found: Awaited<ReturnType<typeof findOnCopy>>
    try {
      found = await findOnCopy(database, file).catch(async () => {
        await psql(database, ['-c', emptyAll])
        return await findOnCopy(database, file)
      })
    } catch (error) {
      log(`${project.repository} ${name}: does not run: ${String(error).split('\n')[0]}`)
      continue
    }
    ran++
    const { truth, transaction } = found
    const sending = transaction ? project.sending : { transaction: false, split: true }
    const rehearsal = await measure(database, file, text, sending)
    if (rehearsal.verdict === 'not measured')
      log(`${project.repository} ${name}: not measured: ${rehearsal.problem}`)
    const isLost = truth.lost.length > 0
    const lost = rehearsal.effects.filter(({ destructive }) => destructive).map(({ message }) => message)
    const own = 'rehearse-migration'
    differ(own, `${truth.lost} | ${lost}`, scores.add(own, 'lost', rehearsal.destructive, isLost))
    const rewritten = rewrittenBy(rehearsal)
    const sayRewritten = `rewritten ${[...truth.rewritten]} | ${[...rewritten]}`
    differ(own, sayRewritten, scores.add(own, 'rewritten', rewritten.size > 0, truth.rewritten.size > 0))
    if (truth.locks) {
      const [is, said] = [truth.locks, strongestLocks(rehearsal)]
      for (const table of new Set([...is.keys(), ...said.keys()])) {
        const isFound = said.has(table) && (!is.has(table) || is.get(table) === said.get(table))
        const word = scores.add(own, 'locks', isFound, is.has(table))
        differ(own, `lock of ${table} ${is.get(table)} | ${said.get(table)}`, word)
      }
    }
    for (const linter of keysOf(linters)) {
      const program = programs[linter]
      if (program === undefined) continue
      const broken = await lint(linter, program, file)
      const has = (question: 'lost' | 'rewritten') => linters[linter][question].some(rule => broken.has(rule))
      if (linters[linter].lost.length > 0) scores.add(linter, 'lost', has('lost'), isLost)
      scores.add(linter, 'rewritten', has('rewritten'), truth.rewritten.size > 0)
    }
  }
  return { ran, files: chosen.length }
}
