import type { Seam } from '#base/seam'
import { withoutValues } from '#contents/sql/failures'
import { beginsTransaction, endsTransaction } from '#contents/sql/scripts'
import { type Answer, queryRow, queryRows, type Session, StatementError } from '#postgres/session'
import type { Ran, Watch } from '../proxy/watch.ts'
import { censusQuery } from './census.ts'

/** The server's code for what cannot run in a transaction, or would end it; nothing of it was done then. */
const refusesTransaction = /^(?:25001|2D000)$/

/** The first words, which tell what begins and ends transactions. */
const beginningOf = (sql: string) => sql.split(/\s+/, 4).join(' ').toUpperCase()

/**
 * A session that looks at its own transaction after each statement. What runs by itself is put into a transaction, so that
 * not even the shortest lock is missed, but for what the server refuses there: that runs as it is.
 */
class MeasuredSession implements Session {
  readonly #session: Session
  readonly #backend: number
  readonly #watch: Watch
  readonly #seam: Pick<Seam, 'now'>
  #isOpen = false

  constructor(session: Session, backend: number, watch: Watch, seam: Pick<Seam, 'now'>) {
    this.#session = session
    this.#backend = backend
    this.#watch = watch
    this.#seam = seam
  }

  async query(sql: string): Promise<Answer> {
    const words = beginningOf(sql)
    if (this.#isOpen && endsTransaction(words)) return await this.#end(sql, words)
    if (this.#isOpen) return await this.#runInside(sql)
    if (!beginsTransaction(words)) return await this.#runAlone(sql)
    const answer = await this.#session.query(sql)
    this.#isOpen = true
    return answer
  }

  queryAll(sql: string): Promise<Answer[]> {
    return this.#session.queryAll(sql)
  }

  attempt(sql: string): Promise<Answer | StatementError> {
    return this.#session.attempt(sql)
  }

  async #end(sql: string, words: string): Promise<Answer> {
    const answer = await this.#session.query(sql)
    this.#isOpen = false
    const how = /^(?:ABORT|ROLLBACK)/.test(words) || answer.command === 'ROLLBACK' ? 'rollback' : 'commit'
    this.#watch.ended(this.#backend, this.#seam.now(), how)
    return answer
  }

  /** Runs it, and says what it did. `isLast` for what the caller can repeat in another way. */
  async #measure(sql: string, inTransaction: boolean, isRepeatable = false): Promise<Answer> {
    const startedAt = this.#seam.now()
    const ran = (): Ran => ({
      ...{ backend: this.#backend, sql, startedAt, endedAt: this.#seam.now(), inTransaction, censusTook: 0 },
    })
    try {
      const answer = await this.#session.query(sql)
      const done = ran()
      const census = inTransaction ? await this.#takeCensus() : undefined
      this.#watch.ran({ ...done, censusTook: this.#seam.now() - done.endedAt }, census)
      return answer
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      const refusal = withoutValues(error)
      const { code, message } = refusal
      if (!(isRepeatable && refusesTransaction.test(code)))
        this.#watch.ran({ ...ran(), failure: { code, message } }, undefined)
      throw refusal
    }
  }

  async #takeCensus(): Promise<(string | null)[][]> {
    const rows = await queryRows<Record<string, string | null>>(this.#session, censusQuery)
    return rows.map(row => Object.values(row))
  }

  async #runInside(sql: string): Promise<Answer> {
    return await this.#measure(sql, true)
  }

  async #runAlone(sql: string): Promise<Answer> {
    await this.#session.query('begin')
    try {
      const answer = await this.#measure(sql, true, true)
      await this.#session.query('commit')
      this.#watch.ended(this.#backend, this.#seam.now(), 'commit')
      return answer
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      await this.#session.query('rollback')
      this.#watch.ended(this.#backend, this.#seam.now(), 'rollback')
      if (!refusesTransaction.test(error.code)) throw error
      return await this.#measure(sql, false)
    }
  }
}

/** A session whose statements are measured. */
export async function measureSession(
  session: Session,
  watch: Watch,
  seam: Pick<Seam, 'now'>,
): Promise<Session> {
  const { id } = await queryRow<{ id: number }>(session, 'select pg_backend_pid() as id')
  return new MeasuredSession(session, id, watch, seam)
}
