/** Rehearses the migrations of one project in their order, each beside the truth on a copy of the same database. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ActionError } from '#base/errors'
import { keysOf } from '#base/table'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import type { Rehearsal } from '#contents/rehearsal/result/stored'
import { callThroughTap } from '#contents/rehearsal/tap/open-tap'
import { withSession } from '#postgres/session'
import { psql, type Server } from '../bench/database.ts'
import { fillTables } from './fill-tables.ts'
import { type LinterName, lint, linters } from './linters.ts'
import type { Project, Sending } from './projects.ts'
import type { Question, Scores } from './scores.ts'
import { findTruth, strongestByTable, type Truth } from './truth.ts'

/** The surroundings of a history. `programs`: the paths of the linters, by their names. */
interface Bench {
  server: Server
  root: string
  programs: Partial<Record<LinterName, string | undefined>>
  scores: Scores
  log: (line: string) => void
}

const limits = { timeout: 120_000, signal: new AbortController().signal, mostBytes: 2 ** 26, forJson: true }

/** `BEGIN` and `COMMIT` as lines of their own: the transaction is that of the project's tool. */
const ownTransaction = /^\s*(?:begin|commit)(?:\s+transaction)?\s*;\s*$/gim

/** SQLSTATEs of statements that a transaction forbids, and of new values of an enum that it cannot use yet. */
const needsNoTransaction = /\b(?:25001|55P04)\b/

/** Creates a database on the server, or creates it again. */
async function createDatabase(server: Server, database: string, template = 'template1'): Promise<Server> {
  const drop = `drop database if exists ${database} with (force)`
  const create = `create database ${database} template ${template}`
  await psql({ ...server, database: 'postgres' }, ['-c', drop, '-c', create])
  return { ...server, database }
}

/**
 * The truth, with the rows of the database if possible: a generated row may break a migration. A statement may refuse a
 * transaction.
 */
async function findOnCopy(server: Server, file: string): Promise<{ truth: Truth; transaction: boolean }> {
  const find = async (transaction: boolean) => {
    const copy = await createDatabase(server, 'truth', server.database)
    return { truth: await findTruth(copy, file, transaction), transaction }
  }
  return await find(true).catch(error => {
    if (!needsNoTransaction.test(String(error))) throw error
    return find(false)
  })
}

/** The longest text that Linux takes as one argument. */
const longest = 100_000

function argumentsFor(file: string, text: string, { transaction, split }: Sending): string[] {
  const sent = split || text.length > longest ? ['-f', file] : ['-c', text]
  return transaction ? ['-c', 'BEGIN', ...sent, '-c', 'COMMIT'] : sent
}

/** Rehearses a migration that psql sends through the tap. */
async function measure(server: Server, psqlArguments: string[]): Promise<Rehearsal> {
  const seam = createRealSeam()
  const { rehearsal } = await withSession(server, limits, session =>
    rehearse(session, seam, {
      ...{ limits: {}, files: [] },
      run: watch =>
        callThroughTap(seam, server, watch, async address => {
          try {
            await psql(address, psqlArguments)
          } catch (error) {
            throw new ActionError(String(error), 'Read the refusal.')
          }
        }),
    }),
  )
  return rehearsal
}

const emptyAll = `do $$ begin execute (select 'truncate ' || string_agg(c.oid::regclass::text, ',') || ' cascade' from pg_class c
  join pg_namespace n on n.oid = c.relnamespace where relkind = 'r' and nspname !~ '^(pg_|information_schema$)'); end $$`

/** The name of a lock, as the server has it: `AccessExclusiveLock` for `ACCESS EXCLUSIVE`. */
const modeOf = (mode: string) =>
  `${mode.toLowerCase().replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}Lock`

function scoreRehearsal(rehearsal: Rehearsal, truth: Truth, scores: Scores, log: Bench['log']) {
  const judge = (question: Question, found: boolean, isTrue: boolean, what: string) => {
    const word = scores.add('rehearse-migration', question, found, isTrue)
    if (word) log(`rehearse-migration ${word}: ${what}`)
  }
  const { lost, rewritten, locks } = truth
  const { verdict, problem, destructive, effects, statements } = rehearsal
  if (verdict === 'not measured') log(`not measured: ${problem}`)
  const messages = effects.filter(effect => effect.destructive).map(({ message }) => message)
  judge('lost', destructive, lost.length > 0, `${lost} | ${messages}`)
  const rewrites = statements.flatMap(one => one.rewrites.filter(({ bytes }) => bytes > 0))
  const tables = new Set(rewrites.map(({ table }) => table))
  judge('rewritten', tables.size > 0, rewritten.size > 0, `rewritten ${[...rewritten]} | ${[...tables]}`)
  if (locks === undefined) return
  const reported = strongestByTable(
    statements.flatMap(one => one.locks.map(({ table, mode }) => [table, modeOf(mode)])),
  )
  for (const table of new Set([...locks.keys(), ...reported.keys()])) {
    const [really, said] = [locks.get(table), reported.get(table)]
    const isFound = said !== undefined && (really ?? said) === said
    judge('locks', isFound, really !== undefined, `lock of ${table} ${really} | ${said}`)
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

/** Names begin with a time, with or without hyphens in it. */
const orderOf = (name: string) => name.replaceAll('-', '')

export async function rehearseHistory(
  project: Project & { checkout: string },
  bench: Bench,
): Promise<{ ran: number; files: number }> {
  const { server, root, scores } = bench
  const folder = join(project.checkout, project.folder)
  const files = globSync('**/*.sql', { cwd: folder })
    .filter(name => project.pattern.test(`/${name}`))
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  const database = await createDatabase(server, 'history')
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
    if (found === undefined) continue
    ran++
    const sending = found.transaction ? project.sending : { transaction: false, split: true }
    scoreRehearsal(await measure(database, argumentsFor(file, text, sending)), found.truth, scores, log)
    await scoreLinters(file, found.truth, bench)
  }
  return { ran, files: files.length }
}
