/** Runs the files or the command of a migration, through a tap if the migration is measured. */
import { counted } from '#base/bytes'
import { renderDuration } from '#base/duration'
import { ActionError } from '#base/errors'
import { hashOf } from '#contents/rehearsal/result/statement-text'
import type { FileHashes } from '#contents/rehearsal/result/stored'
import { callThroughTap, type OpenTap } from '#contents/rehearsal/tap/open-tap'
import type { Watch } from '#contents/rehearsal/tap/watch'
import { hideValuesInErrors } from '#contents/sql/failures'
import { readSqlFiles } from '#contents/sql/read-files'
import { runScripts } from '#contents/sql/run-scripts'
import type { Script } from '#contents/sql/scripts'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Commands, Databases, Waiting } from '#operations/base/context'
import { type Connection, variablesOf } from '#postgres/connection'
import type { Session } from '#postgres/session'
import type { WithSettings } from './context.ts'
import { describeScripts, inUserSession, parseFiles } from './scripts.ts'
import { type Target, timeLeft } from './target.ts'

const readLastLines = "read the reason in the command's last lines in the log"

/** The command ended with an error after a statement of it reached the database. */
export class FailedCommandError extends ActionError {
  /** @param refused the statement that the server refused, and the reason */
  constructor(exitCode: number, refused?: string) {
    super(
      `the command ended with exit code ${exitCode}${refused ? ` after the server refused ${refused}` : ''}; parts of the migration may be in effect`,
      refused ? `correct the statement, or ${readLastLines}` : readLastLines,
    )
    this.exitCode = exitCode
  }
}

/** The command or the files of a migration. */
export interface Migration {
  /** Names the migration in messages: `3 statements of a.sql`. */
  what: string
  /** Undefined for a migration of SQL files. */
  command?: string
  /** The SQL files to run; empty for a command. */
  scripts: Script[]
  /** The files to search for the place of each statement. */
  files: SqlFile[]
  /** The hashes of the completed files; empty for a command. */
  ran: FileHashes
}

const hashFile = ({ text }: SqlFile) => hashOf([text]).slice(0, 16)

/** The exit code of a shell that does not find a program (POSIX, "Exit Status for Commands"). */
const programNotFound = 127

/** The missing program in a message: `sh: 1: flyway: not found`, `sh: line 1: flyway: command not found`. */
const findMissingProgram = (line: string) => /: ([\w./@+-]{1,100}): (?:command )?not found$/.exec(line)?.[1]

/** The error of a command. Without a tap, nothing is observed, so the command counts as one that ran a statement. */
function commandFailure(code: number, tap: OpenTap | undefined, missing: string | undefined) {
  const ended = `the command ended with exit code ${code}`
  if (code === programNotFound)
    return new ActionError(
      `${ended}: the shell did not find ${missing ?? 'a program'}`,
      `install ${missing ?? 'the program that the log names above'} in a step before this one`,
    )
  if (tap?.hasRun() ?? true) return new FailedCommandError(code)
  if (tap?.hasRefusedTls())
    return new ActionError(
      `${ended} before it ran a statement: it requires TLS, and the connection of a rehearsal has no TLS`,
      'set sslmode to prefer or disable for this step, or remove sslmode=require from the settings of the tool',
    )
  return new ActionError(`${ended} before it ran a statement`, readLastLines)
}

async function runCommand(context: Commands, address: Connection, command: string, tap?: OpenTap) {
  const { seam, signal } = context
  const timeLimit = new AbortController()
  const left = timeLeft(context)
  const cancelTimer = seam.after(left, () => timeLimit.abort())
  try {
    let missing: string | undefined
    const code = await context.runCommand(command, variablesOf(address), {
      signal: timeLimit.signal,
      onLine: line => {
        missing = findMissingProgram(line) ?? missing
      },
    })
    if (code === 0) return
    const failure = commandFailure(code, tap, missing)
    failure.exitCode = code
    throw failure
  } catch (error) {
    signal.throwIfAborted()
    if (!timeLimit.signal.aborted) throw error
    throw new ActionError(
      `the step ended the command, which still ran after ${renderDuration(left)}`,
      'raise wait_timeout, or find the reason in the log',
    )
  } finally {
    cancelTimer()
  }
}

/** Runs a migration; with a watch, through a tap. @throws SqlError, FailedCommandError, UnreachableError */
export async function runMigration(
  context: Databases & Commands & WithSettings<'contents'>,
  target: Target,
  { command, scripts, ran }: Migration,
  watch: Watch | undefined,
): Promise<void> {
  const { transaction } = context.settings.contents
  const onDone = ({ file }: Script) => {
    ran[file.name] = hashFile(file)
  }
  await callThroughTap(context.seam, target.connection, watch, async (address, tap) => {
    if (command !== undefined) return await runCommand(context, address, command, tap)
    const run = (session: Session) =>
      runScripts(hideValuesInErrors(session), scripts, { transaction, onDone })
    await inUserSession(context, { ...target, tapped: address }, run)
  })
}

const migrationOf = (scripts: Script[]): Migration => ({
  what: scripts.length > 0 ? describeScripts(scripts) : 'no new file',
  scripts,
  files: scripts.map(({ file }) => file),
  ran: {},
})

/** The migration without the files that already ran on the preview, since each file runs only once. */
export function omitRunFiles({ log }: Waiting, migration: Migration, before: FileHashes): Migration {
  const { command, scripts } = migration
  if (command !== undefined) return migration
  const left = scripts.filter(({ file }) => before[file.name] !== hashFile(file))
  for (const { file } of left.filter(script => before[script.file.name] !== undefined))
    log.warning(
      `${file.name} changed after it ran on this preview, so it runs again — use reset-preview or reset_on for a preview without the earlier version`,
      'run again',
    )
  if (left.length < scripts.length)
    log.info(`skipped ${counted(scripts.length - left.length, 'file')} that already ran on this preview`)
  return migrationOf(left)
}

/** Reads the migration from the inputs, before anything runs. @throws ActionError for a file, SqlError for its SQL */
export async function readMigration(
  context: Commands & WithSettings<'contents' | 'rehearsal'>,
): Promise<Migration> {
  const { workspace, settings } = context
  const { command, migrations } = settings.rehearsal
  if (command !== undefined) {
    const files = migrations === undefined ? [] : readSqlFiles(workspace, migrations, 'migrations')
    return { what: 'the command', command, scripts: [], files, ran: {} }
  }
  const files = readSqlFiles(workspace, settings.contents.sqlFile ?? [], 'sql_file')
  return migrationOf(await parseFiles(context, files))
}
