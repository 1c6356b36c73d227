/** Reads the statements in a message of a client. */
import { splitStatements } from '#contents/sql/split-statements'
import { SqlError } from '#contents/sql/sql-error'

/** The characters that are kept of a text that is not parsed. */
export const excerpt = 1000

/** The statements in a message. If parsing fails, the start of the message. */
export function readStatements(sql: string): string[] {
  try {
    return splitStatements({ name: '', text: sql }, { withClient: true }).map(({ text }) => text)
  } catch (error) {
    if (error instanceof SqlError) return [sql.slice(0, excerpt)]
    throw error
  }
}

/**
 * Whether a statement takes no blocking lock before the end of the transaction. Its locks can be read later, with those of the
 * next statement.
 */
export const isPlain = (sql: string) =>
  /^\s*(?:ABORT|BEGIN|CLOSE|COMMIT|COPY|DEALLOCATE|DECLARE|DELETE|DISCARD|END|EXPLAIN|FETCH|INSERT|LISTEN|MERGE|MOVE|NOTIFY|PREPARE|RELEASE|RESET|SAVEPOINT|SELECT|SET|SHOW|START|UNLISTEN|UPDATE|VALUES|WITH)\b/i.test(
    sql,
  )

/** Whether a statement only controls transactions or the settings of the session. */
export const isSteering = (sql: string) =>
  /^\s*(?:ABORT|BEGIN|COMMIT|DEALLOCATE|DISCARD|END|RELEASE|RESET|ROLLBACK|SAVEPOINT|SET|SHOW|START)\b/i.test(
    sql,
  )
