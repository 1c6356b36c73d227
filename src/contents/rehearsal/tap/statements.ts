/** Reads the statements in a message of a client. */
import { trySplit } from '#contents/sql/split-statements'

/** The most characters that are stored of a text that is not parsed. */
export const excerptLength = 1000

/** The statements in a message. If parsing fails, the start of the message. */
export function splitMessage(sql: string): string[] {
  const statements = trySplit({ name: '', text: sql }, { withClient: true })
  return statements?.map(({ text }) => text) ?? [sql.slice(0, excerptLength)]
}

/**
 * True for a statement that takes no table lock that blocks reads or writes. Its locks can be read later, with those of the
 * next statement.
 */
export const isNonBlocking = (sql: string) =>
  /^\s*(?:ABORT|BEGIN|CLOSE|COMMIT|COPY|DEALLOCATE|DECLARE|DELETE|DISCARD|END|EXPLAIN|FETCH|INSERT|LISTEN|MERGE|MOVE|NOTIFY|PREPARE|RELEASE|RESET|SAVEPOINT|SELECT|SET|SHOW|START|UNLISTEN|UPDATE|VALUES|WITH)\b/i.test(
    sql,
  )

/** True if a statement only controls transactions or the settings of the session. */
export const isSessionControl = (sql: string) =>
  /^\s*(?:ABORT|BEGIN|COMMIT|DEALLOCATE|DISCARD|END|RELEASE|RESET|ROLLBACK|SAVEPOINT|SET|SHOW|START)\b/i.test(
    sql,
  )
