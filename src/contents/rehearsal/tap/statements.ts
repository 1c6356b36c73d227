/** Reads the statements in a message of a client. */
import { splitStatements } from '#contents/sql/split-statements'
import { SqlError } from '#contents/sql/sql-error'

/** The characters that are kept of a text that cannot be parsed. */
const excerpt = 1000

/** The statements in a message. If parsing fails, the start of the message. */
export function readStatements(sql: string): string[] {
  try {
    return splitStatements({ name: '', text: sql }, { withClient: true }).map(({ text }) => text)
  } catch (error) {
    if (error instanceof SqlError) return [sql.slice(0, excerpt)]
    throw error
  }
}

const ends =
  /^\s*(?:COMMIT|END|ABORT|PREPARE\s+TRANSACTION|ROLLBACK(?!\s+(?:(?:WORK|TRANSACTION)\s+)?TO\b))\b/i

/** Whether a statement ends the transaction, and with it the locks. */
export const endsTransaction = (sql: string) => ends.test(sql)

/** Statements that take no blocking lock before the end of the transaction. */
const plain =
  /^\s*(?:ABORT|BEGIN|CLOSE|COMMIT|COPY|DEALLOCATE|DECLARE|DELETE|DISCARD|END|EXPLAIN|FETCH|INSERT|LISTEN|MERGE|MOVE|NOTIFY|PREPARE|RELEASE|RESET|SAVEPOINT|SELECT|SET|SHOW|START|UNLISTEN|UPDATE|VALUES|WITH)\b/i

/** Whether the locks of a statement can be read later, with those of the next statement. */
export const isPlain = (sql: string) => plain.test(sql)

/** Statements that only control transactions or the settings of the session. */
const steering =
  /^\s*(?:ABORT|BEGIN|COMMIT|DEALLOCATE|DISCARD|END|RELEASE|RESET|ROLLBACK|SAVEPOINT|SET|SHOW|START)\b/i

export const isSteering = (sql: string) => steering.test(sql)
