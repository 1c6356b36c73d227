import { type Answer, type Session, StatementError } from '#postgres/session'
import { BrokenSessionError, RefusedStatementError } from './failures.ts'
import type { Script } from './scripts.ts'
import type { Statement } from './split-statements.ts'

/** A statement that was run. */
export interface Ran {
  script: Script
  statement: Statement
  answer: Answer
}

export interface RunOptions {
  /** Each script is a transaction; else each statement is by itself. */
  transaction: boolean
  /** Files that took effect earlier, to be told as well where one fails. */
  inEffect?: readonly string[]
  onRan?: (ran: Ran) => void
  /** Runs at the end of each transaction, as part of it. */
  beforeCommit?: () => Promise<void>
  /** A script is done, and what it did is in effect. */
  onDone?: (script: Script) => void
}

/** What is in effect of scripts that did not all run to their end. */
class Progress {
  readonly #done: string[]
  /** Statements of the script under way that are in effect, each by itself. */
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

  /** `ofThis` says what became of the script that failed. */
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

/** Runs something of a script; what goes wrong says what is in effect. */
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
  // Constraints that are deferred are checked now, and a mistake of theirs has no place.
  if (options.beforeCommit) await guarded(script, last, { refused, broken }, options.beforeCommit)
  await guarded(script, last, uncertain, async () => void (await session.query('commit')))
}

/**
 * Runs scripts one after the other. Nothing is ever sent twice: SQL is not idempotent.
 *
 * @throws RefusedStatementError, BrokenSessionError: both say what is in effect. The caller closes the session then,
 * which rolls back what is open.
 */
export async function runScripts(session: Session, scripts: Script[], options: RunOptions): Promise<void> {
  const progress = new Progress(options)
  for (const script of scripts) {
    await runScript(session, script, options, progress)
    progress.done(script)
    options.onDone?.(script)
  }
}
