/** The operation `run-sql`. */
import { counted, takeFitting } from '#base/bytes'
import { renderDuration } from '#base/duration'
import { type Table, table } from '#base/report'
import { mentionsSecret } from '#base/secret-names'
import { messageOf } from '#base/unknown-values'
import { readSqlFiles } from '#contents/sql/read-files'
import { type RanStatement, runScripts } from '#contents/sql/run-scripts'
import type { Script } from '#contents/sql/scripts'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Commands, Databases, GivenParameters, Log, Waiting } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import type { Answer } from '#postgres/session'
import type { DatabaseContext, WithSettings } from './context.ts'
import { restoreNotesAfter } from './notes.ts'
import { describeDatabase, describeScripts, inUserSession, mostLines, parseFiles } from './scripts.ts'
import { findTarget, type Target } from './target.ts'

const operation = 'run-sql'

function filesOf({ settings, workspace }: Commands & WithSettings<'contents'>): SqlFile[] {
  const { sql, sqlFile } = settings.contents
  return sql === undefined ? readSqlFiles(workspace, sqlFile ?? [], 'sql_file') : [{ name: 'sql', text: sql }]
}

const countsRows = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|FETCH|MOVE)$/
const onlyReads = /^(?:SELECT|SHOW|EXPLAIN|FETCH|SET|RESET)?$/

interface Report {
  /** The start of the first statement, on the clock of the seam's `now`. */
  began: number
  /** The last answer with rows. */
  last?: Answer
  changed: boolean
}

/** Logs each statement and file, and collects the report. */
function observe({ log, seam, settings }: Waiting & WithSettings<'contents'>, report: Report) {
  let statementStart = report.began
  let logged = 0
  return {
    onRan({ script, statement, answer }: RanStatement): void {
      const { columns, command, rowCount } = answer
      const now = seam.now()
      const count = countsRows.test(command) ? `, ${counted(rowCount, 'row')}` : ''
      const line = `${script.file.name}:${statement.line}: ${command || 'done'}${count}, ${renderDuration(now - statementStart)}`
      logged += 1
      if (logged <= mostLines) log.info(line)
      else log.debug(line)
      statementStart = now
      if (columns.length > 0) report.last = answer
      report.changed ||= !onlyReads.test(command)
    },
    onDone({ file, statements }: Script): void {
      const what = settings.contents.transaction ? 'committed' : 'done'
      statementStart = seam.now()
      log.info(`${file.name}: ${what}, ${counted(statements.length, 'statement')}`)
    },
  }
}

async function run(context: Databases & WithSettings<'contents'>, target: Target, scripts: Script[]) {
  const { settings, seam, signal, log } = context
  const report: Report = { began: seam.now(), changed: false }
  const options = { transaction: settings.contents.transaction, ...observe(context, report) }
  await inUserSession(context, target, session =>
    runScripts(session, scripts, options).catch(error => {
      // The error names the committed statements, but a cancelled step reports only the cancellation.
      if (signal.aborted) log.info(messageOf(error))
      throw error
    }),
  )
  return report
}

/** Upper limit for the columns of a table: the runner refuses a summary of more than 1 MiB. */
const mostColumns = 10

const asText = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** The rows for the summary, without columns whose names suggest secrets. */
function tableOf(log: Log, names: string[], rows: Answer['rows'], total: number): Table {
  const all = [...new Set(names)]
  const secret = all.filter(mentionsSecret)
  if (secret.length > 0)
    log.info(`columns left out of the result because their names suggest secrets: ${secret.join(', ')}`)
  const columns = all.filter(name => !secret.includes(name)).slice(0, mostColumns)
  return table(
    columns,
    rows.map(row => columns.map(name => asText(row[name]))),
    { total },
  )
}

/** Upper limit for the rows in the output `result`. */
const mostRows = 1000

/** Limit for characters of JSON, each up to six bytes. All outputs of a job have 1 MB (GitHub, "Workflow syntax"). */
const mostCharacters = 100_000

function resultOf({ log }: Waiting, { last }: Report): Partial<Outcome> {
  if (last === undefined) return {}
  const { rows } = last
  const result = takeFitting(rows.slice(0, mostRows), mostCharacters, row => JSON.stringify(row).length)
  if (result.length < rows.length)
    log.warning(
      `the output result has the first ${result.length} of ${rows.length} rows, because it is full`,
      'rows left out',
    )
  return { result, count: rows.length, rows: tableOf(log, last.columns, result, rows.length) }
}

/** Runs SQL on a database, after parsing all files. @throws SqlError, ActionError for a file, and as `findTarget` */
export async function runSql(given: GivenParameters, context: DatabaseContext): Promise<Outcome> {
  const scripts = await parseFiles(context, filesOf(context))
  const target = await findTarget(given, context)
  const what = describeScripts(scripts)
  const { ids, pullRequest } = target
  if (context.settings.dryRun) return { operation, ids, pullRequest, skipped: `dry run: would run ${what}` }
  if ('skipped' in target) return { operation, ...target }
  const { connection } = target
  context.log.info(`${describeDatabase(connection)}, as ${connection.user}`)
  const report = await restoreNotesAfter(context, target, () =>
    context.timeline.time(`running ${what}`, () => run(context, target, scripts)),
  )
  return {
    operation,
    ids,
    pullRequest,
    changed: report.changed,
    ...resultOf(context, report),
    done: `${what}, ${renderDuration(context.seam.now() - report.began)}`,
  }
}
