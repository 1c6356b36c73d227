/** Runs scripts statement by statement, and reports after a failure which statements are in effect. */
import { type Answer, type Session, StatementError } from '#postgres/session'
import { BrokenSessionError, RefusedStatementError } from './failures.ts'
import type { Script } from './scripts.ts'
import type { Statement } from './split-statements.ts'

export interface Ran {
  script: Script
  statement: Statement
  answer: Answer
}

export interface RunOptions {
  /** Each script is one transaction. Otherwise each statement takes effect alone. */
  transaction: boolean
  /** Files that took effect earlier. An error message names them too. */
  inEffect?: readonly string[]
  onRan?: (ran: Ran) => void
  /** Runs within each transaction, before its COMMIT. */
  beforeCommit?: () => Promise<void>
  /** Called when a script is complete and in effect. */
  onDone?: (script: Script) => void
}

class Progress {
  readonly #done: string[]
  /** Statements of the current script that took effect, each alone. */
  #statements = 0
  readonly #transaction: boolean

  constructor({ transaction, inEffect = [] }: RunOptions) {
    this.#transaction = transaction
    this.#done = [...inEffect]
  }

  ran(): void {
    this.#statements++
  }

  done({ file }: Script): void {
    this.#done.push(file.name)
    this.#statements = 0
  }

  /** `ofThis` describes the effect of the script that failed. */
  describe(ofThis: string): string {
    const before = this.#done.length > 0 ? `in effect: ${this.#done.join(', ')}` : 'nothing else ran'
    return `${ofThis}; ${before}`
  }

  afterRefusal({ file }: Script): string {
    if (this.#transaction) return this.describe(`all statements of ${file.name} are rolled back`)
    const count = this.#statements
    return this.describe(
      `${count === 1 ? '1 statement' : `${count} statements`} of ${file.name} had run before`,
    )
  }
}

async function guarded(
  script: Script,
  statement: Statement,
  left: { refused: () => string; broken: () => string },
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof StatementError)
      throw new RefusedStatementError(script.file, statement, error, left.refused())
    throw new BrokenSessionError(script.file, statement, error, left.broken())
  }
}

async function runScript(
  session: Session,
  script: Script,
  options: RunOptions,
  progress: Progress,
): Promise<void> {
  const { file, statements } = script
  const [first] = statements
  const last = statements.at(-1)
  if (first === undefined || last === undefined) return
  const refused = () => progress.afterRefusal(script)
  const rolledBack = () => progress.describe(`all statements of ${file.name} are rolled back`)
  const unknown = (what: string) => () => progress.describe(`it is unknown whether ${what}`)
  const broken = options.transaction ? rolledBack : unknown('the statement took effect')
  if (options.transaction)
    await guarded(script, first, { refused, broken }, async () => void (await session.query('begin')))
  for (const statement of statements)
    await guarded(script, statement, { refused, broken }, async () => {
      const answer = await session.query(statement.text)
      progress.ran()
      options.onRan?.({ script, statement, answer })
    })
  if (!options.transaction) return
  const uncertain = { refused, broken: unknown(`${file.name} was committed`) }
  // COMMIT also checks deferred constraints, whose errors have no place.
  if (options.beforeCommit) await guarded(script, last, { refused, broken }, options.beforeCommit)
  await guarded(script, last, uncertain, async () => void (await session.query('commit')))
}

/**
 * Runs scripts in order. Nothing is sent twice, because SQL is not idempotent.
 *
 * @throws RefusedStatementError, BrokenSessionError: both name the statements in effect. The caller then closes the
 * session, which rolls back the open transaction.
 */
export async function runScripts(session: Session, scripts: Script[], options: RunOptions): Promise<void> {
  const progress = new Progress(options)
  for (const script of scripts) {
    await runScript(session, script, options, progress)
    progress.done(script)
    options.onDone?.(script)
  }
}
