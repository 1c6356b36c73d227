/** Rehearses the migrations of one project in their order, each beside the truth on a copy of the same database. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keysOf } from '#base/table'
import type { Rehearsal } from '#contents/rehearsal/result/stored'
import { withSession } from '#postgres/session'
import { isForTransaction, psql, type Server } from '../bench/database.ts'
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
  /** Upper limit for the migrations of a project. */
  most: number
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

/**
 * The truth, with the rows of the database if possible: a generated row may break a migration. A statement may refuse a
 * transaction.
 */
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

const emptyAll = `do $$ begin execute (select 'truncate ' || string_agg(c.oid::regclass::text, ',') || ' cascade' from pg_class c
  join pg_namespace n on n.oid = c.relnamespace where relkind = 'r' and nspname !~ '^(pg_|information_schema$)'); end $$`

/** Names begin with a time, with or without hyphens in it. */
const orderOf = (name: string) => name.replaceAll('-', '')

type Log = Bench['log']

function scoreRehearsal(rehearsal: Rehearsal, { lost, rewritten, locks }: Truth, scores: Scores, log: Log) {
  const judge = (question: 'lost' | 'rewritten' | 'locks', found: boolean, isTrue: boolean, what: string) => {
    const word = scores.add('rehearse-migration', question, found, isTrue)
    if (word) log(`rehearse-migration ${word}: ${what}`)
  }
  if (rehearsal.verdict === 'not measured') log(`not measured: ${rehearsal.problem}`)
  const messages = rehearsal.effects.filter(({ destructive }) => destructive).map(({ message }) => message)
  judge('lost', rehearsal.destructive, lost.length > 0, `${lost} | ${messages}`)
  const found = rewrittenBy(rehearsal)
  judge('rewritten', found.size > 0, rewritten.size > 0, `rewritten ${[...rewritten]} | ${[...found]}`)
  if (locks === undefined) return
  const reportedLocks = strongestLocks(rehearsal)
  for (const table of new Set([...locks.keys(), ...reportedLocks.keys()])) {
    const isFound =
      reportedLocks.has(table) && (!locks.has(table) || locks.get(table) === reportedLocks.get(table))
    judge(
      'locks',
      isFound,
      locks.has(table),
      `lock of ${table} ${locks.get(table)} | ${reportedLocks.get(table)}`,
    )
  }
}

async function scoreLinters(file: string, { lost, rewritten }: Truth, { programs, scores }: Bench) {
  const truth = { lost: lost.length > 0, rewritten: rewritten.size > 0 }
  for (const linter of keysOf(linters)) {
    const program = programs[linter]
    if (program === undefined) continue
    const broken = await lint(linter, program, file)
    for (const question of keysOf(truth)) {
      const rules = linters[linter][question]
      const hasFound = rules.some(rule => broken.has(rule))
      if (rules.length > 0) scores.add(linter, question, hasFound, truth[question])
    }
  }
}

export async function rehearseHistory(
  project: Project,
  bench: Bench,
): Promise<{ ran: number; files: number }> {
  const { server, checkouts, root, most, scores } = bench
  const folder = join(checkouts, project.repository.split('/')[1] ?? '', project.folder)
  const files = globSync('**/*.sql', { cwd: folder })
    .filter(name => project.pattern.test(`/${name}`))
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    .slice(0, most)
  const database = { ...server, database: 'history' }
  const onServer = { ...server, database: 'postgres' }
  for (const command of ['drop database if exists history with (force)', 'create database history'])
    await psql(onServer, ['-c', command])
  const file = join(root, 'migration.sql')
  let ran = 0
  const refused = new Set<string>()
  for (const name of files) {
    const log = (line: string) => bench.log(`${project.repository} ${name}: ${line}`)
    const whole = readFileSync(join(folder, name), 'utf8')
    const text = (project.select?.(whole) ?? whole).replaceAll(ownTransaction, '')
    writeFileSync(file, text)
    await withSession(database, limits, session => fillTables(session, refused))
    const found = await findOnCopy(database, file)
      .catch(async () => {
        await psql(database, ['-c', emptyAll])
        return await findOnCopy(database, file)
      })
      .catch(error => {
        log(`does not run: ${String(error).split('\n')[0]}`)
        return undefined
      })
    if (!found) continue
    ran++
    const sending = found.transaction ? project.sending : { transaction: false, split: true }
    scoreRehearsal(await measure(database, file, text, sending), found.truth, scores, log)
    await scoreLinters(file, found.truth, bench)
  }
  return { ran, files: files.length }
}
