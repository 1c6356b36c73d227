/** Runs scripts statement by statement in a prepared session. After a failure, reports which statements are in effect. */
import { counted } from '#base/bytes'
import { messageOf } from '#base/unknown-values'
import { type Answer, type Session, StatementError } from '#postgres/session'
import { RefusedStatementError } from './failures.ts'
import type { Script } from './scripts.ts'
import type { Statement } from './split-statements.ts'
import { SqlError } from './sql-error.ts'

/**
 * Sets the timeouts of a session, in milliseconds; without a value, the database's own timeout applies. While a statement
 * runs, the server also checks the connection, so that closing it ends the statement. Some servers cannot check it (before
 * PostgreSQL 14, and on Windows); there the statement continues.
 */
export async function setTimeouts(
  session: Session,
  {
    statementTimeout,
    lockTimeout,
  }: { statementTimeout?: number | undefined; lockTimeout?: number | undefined },
): Promise<void> {
  const timeouts = { statement_timeout: statementTimeout, lock_timeout: lockTimeout }
  for (const [name, time] of Object.entries(timeouts))
    if (time !== undefined) await session.query('select set_config($1, $2, false)', [name, `${time}ms`])
  await session.attempt("set client_connection_check_interval = '500ms'")
}

/** A statement that ran, with the server's answer. */
export interface RanStatement {
  script: Script
  statement: Statement
  answer: Answer
}

export interface RunOptions {
  /** Each script is one transaction. Otherwise each statement takes effect alone. */
  transaction: boolean
  /** Files that took effect earlier. An error message names them too. */
  inEffect?: readonly string[]
  onRan?: (ran: RanStatement) => void
  /** Runs within each transaction, before its COMMIT. */
  beforeCommit?: () => Promise<void>
  /** Called when a script is complete and in effect. */
  onDone?: (script: Script) => void
}

/** `inEffect`: the files that took effect before this script. */
async function runScript(
  session: Session,
  script: Script,
  { transaction, inEffect: before = [], onRan, beforeCommit }: RunOptions,
): Promise<void> {
  const { file, statements } = script
  const [first] = statements
  const last = statements.at(-1)
  if (first === undefined || last === undefined) return
  let ranCount = 0
  const rolledBack = `all statements of ${file.name} are rolled back`
  const unknownWhether = (clause: string) => `it is unknown whether ${clause}`
  const ifBroken = transaction ? rolledBack : unknownWhether('the statement took effect')
  /** Runs a part of the script. An error names the statements in effect; after a lost connection, `afterBreak`. */
  async function runPart(
    statement: Statement,
    afterBreak: string,
    run: () => Promise<unknown>,
  ): Promise<void> {
    const otherFiles = before.length > 0 ? `in effect: ${before.join(', ')}` : 'nothing else ran'
    try {
      await run()
    } catch (error) {
      if (!(error instanceof StatementError))
        throw new SqlError(
          file,
          statement,
          `the connection broke: ${messageOf(error)}; ${afterBreak}; ${otherFiles}`,
          'check the database before you run the step again: the action never sends SQL twice',
          { cause: error },
        )
      const inEffect = transaction
        ? rolledBack
        : `${counted(ranCount, 'statement')} of ${file.name} already ran`
      throw new RefusedStatementError(file, statement, error, {
        inEffect: `${inEffect}; ${otherFiles}`,
        isFirst: before.length === 0,
      })
    }
  }
  if (transaction) await runPart(first, ifBroken, () => session.query('begin'))
  for (const statement of statements)
    await runPart(statement, ifBroken, async () => {
      const answer = await session.query(statement.text)
      ranCount++
      onRan?.({ script, statement, answer })
    })
  if (!transaction) return
  // COMMIT also checks deferred constraints, whose errors have no place.
  if (beforeCommit) await runPart(last, ifBroken, beforeCommit)
  await runPart(last, unknownWhether(`${file.name} was committed`), () => session.query('commit'))
}

/**
 * Runs scripts in order. Nothing is sent twice, because SQL is not idempotent.
 * @throws RefusedStatementError, or SqlError after a broken connection: both name the statements in effect. The caller
 * then closes the session, which rolls back the open transaction.
 */
export async function runScripts(session: Session, scripts: Script[], options: RunOptions): Promise<void> {
  let inEffect = options.inEffect ?? []
  for (const script of scripts) {
    await runScript(session, script, { ...options, inEffect })
    inEffect = [...inEffect, script.file.name]
    options.onDone?.(script)
  }
}
