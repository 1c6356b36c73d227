/** The SQL scripts of a step: parsing, their session, and their lines in the log. */
import { counted } from '#base/bytes'
import { setTimeouts } from '#contents/sql/run-scripts'
import { parseScripts, type Script } from '#contents/sql/scripts'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Databases, Waiting } from '#operations/base/context'
import type { Connection } from '#postgres/connection'
import type { Notice, Session } from '#postgres/session'
import type { WithSettings } from './context.ts'
import { inDatabase, type Target, timeLeft } from './target.ts'

/** Upper limit for all answers, in bytes: rows are held in memory. */
const mostBytes = 64 * 1024 * 1024

/** Upper limit for log lines about statements, and for those about notices. The others go to the debug log. */
export const mostLines = 200

export const parseFiles = (context: Waiting & WithSettings<'contents'>, files: SqlFile[]) =>
  parseScripts(files, {
    transaction: context.settings.contents.transaction,
    alternative: ', or set `transaction: false`, with which each file controls its own transactions',
    limits: context,
  })

/** `database shop at db.example:5432`. */
export const describeDatabase = ({ host, port, database }: Connection) =>
  `database ${database} at ${host}:${port}`

/** `3 statements of a.sql, b.sql`. */
export function describeScripts(scripts: Script[]): string {
  const statements = scripts.reduce((sum, script) => sum + script.statements.length, 0)
  const names = scripts.map(({ file }) => file.name)
  return `${counted(statements, 'statement')} of ${names.length > 3 ? counted(names.length, 'file') : names.join(', ')}`
}

function logNotices({ log }: Waiting): (notice: Notice) => void {
  let count = 0
  return ({ severity, message, detail, hint }) => {
    const more = [detail, hint && `hint: ${hint}`].filter(Boolean).map(text => `; ${text}`)
    const line = `${severity}: ${message}${more.join('')}`
    count += 1
    if (count <= mostLines) log.info(line)
    else log.debug(line)
    if (count === mostLines) log.info('… further notices are in the debug log')
  }
}

/** Runs SQL of the user in a session with the limits of the inputs. @throws UnreachableError; the errors of `run` */
export async function inUserSession(
  context: Databases & WithSettings<'contents'>,
  target: Target,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const limits = { timeout: timeLeft(context), mostBytes, forJson: true, isForUser: true }
  const options = { ...limits, onNotice: logNotices(context) }
  await inDatabase(context, target, options, async session => {
    await setTimeouts(session, context.settings.contents)
    await run(session)
  })
}
