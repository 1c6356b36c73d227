/** Runs the files or the command of a migration, through a tap if the migration is measured. */
import { counted } from '#base/bytes'
import { renderDuration } from '#base/duration'
import { ActionError } from '#base/errors'
import { hashOf } from '#contents/rehearsal/result/statement-text'
import type { FileHashes } from '#contents/rehearsal/result/stored'
import { type OpenTap, openTap } from '#contents/rehearsal/tap/open-tap'
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

/** The files or the command of a migration. */
export interface Migration {
  /** Names the migration in messages: `3 statements of a.sql`. */
  what: string
  isCommand: boolean
  /** The files to search for the place of each statement. */
  files: SqlFile[]
  /** The hashes of the completed files; empty for a command. */
  ran: FileHashes
  run(target: Target, watch: Watch | undefined): Promise<void>
  /** The migration without the files that already ran on the preview, since each file runs only once. */
  withoutRunFiles(before: FileHashes): Migration
}

const hashFile = ({ text }: SqlFile) => hashOf([text]).slice(0, 16)

/** The exit code of a shell that does not find a program (POSIX, "Exit Status for Commands"). */
const programNotFound = 127

/** Calls `use` with the address of a tap that reports to `watch`; without a watch, with that of the database. */
async function callThroughTap(
  { seam }: Pick<Waiting, 'seam'>,
  connection: Connection,
  watch: Watch | undefined,
  use: (connection: Connection, tap?: OpenTap) => Promise<void>,
): Promise<void> {
  if (watch === undefined) return await use(connection)
  const tap = await openTap(connection, watch, seam)
  // The connection to the tap needs no TLS: it stays on this machine, and the tap uses TLS to the server.
  const tapAddress = { host: '127.0.0.1', port: tap.port, sslmode: 'disable', rootCertificate: undefined }
  try {
    await use({ ...connection, ...tapAddress }, tap)
  } finally {
    await tap.close()
  }
}

const runFiles = (
  context: Databases & WithSettings<'contents'>,
  target: Target,
  scripts: Script[],
  watch: Watch | undefined,
  onDone: (script: Script) => void,
): Promise<void> =>
  callThroughTap(context, target.connection, watch, address => {
    const options = { transaction: context.settings.contents.transaction, onDone }
    const run = (session: Session) => runScripts(hideValuesInErrors(session), scripts, options)
    return inUserSession(context, target, run, address)
  })

/** The missing program in a message: `sh: 1: flyway: not found`, `sh: line 1: flyway: command not found`. */
const findMissingProgram = (line: string) => /: ([\w./@+-]{1,100}): (?:command )?not found$/.exec(line)?.[1]

/** How far the command came in the database. */
interface Reached {
  hasRun: boolean
  isTlsRefused: boolean
}

function commandFailure(code: number, { hasRun, isTlsRefused }: Reached, missing: string | undefined) {
  const ended = `the command ended with exit code ${code}`
  if (code === programNotFound)
    return new ActionError(
      `${ended}: the shell did not find ${missing ?? 'a program'}`,
      `install ${missing ?? 'the program that the log names above'} in a step before this one`,
    )
  if (hasRun) return new FailedCommandError(code)
  if (isTlsRefused)
    return new ActionError(
      `${ended} before it ran a statement: it requires TLS, and the connection of a rehearsal has no TLS`,
      'set sslmode to prefer or disable for this step, or remove sslmode=require from the settings of the tool',
    )
  return new ActionError(`${ended} before it ran a statement`, readLastLines)
}

async function runCommandAt(context: Commands, address: Connection, command: string, reached: () => Reached) {
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
    const failure = commandFailure(code, reached(), missing)
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

/** Runs the command, and observes whether it runs a statement: if it fails before, the error differs. */
async function runCommand(
  context: Commands,
  { connection }: Target,
  command: string,
  watch: Watch | undefined,
): Promise<void> {
  // Without a watch nothing is observed, so the command counts as one that ran a statement.
  let hasRun = watch === undefined
  const observing: Watch | undefined = watch && {
    ...watch,
    onReady(backend, ran, status) {
      hasRun ||= ran.length > 0
      return watch.onReady(backend, ran, status)
    },
  }
  await callThroughTap(context, connection, observing, (address, tap) =>
    runCommandAt(context, address, command, () => ({ hasRun, isTlsRefused: tap?.hasRefusedTls() ?? false })),
  )
}

function createFileMigration(context: Databases & WithSettings<'contents'>, scripts: Script[]): Migration {
  const ran: FileHashes = {}
  const addHash = ({ file }: Script) => {
    ran[file.name] = hashFile(file)
  }
  return {
    what: scripts.length > 0 ? describeScripts(scripts) : 'no new file',
    isCommand: false,
    files: scripts.map(({ file }) => file),
    ran,
    run: (target, watch) => runFiles(context, target, scripts, watch, addHash),
    withoutRunFiles(before) {
      const left = scripts.filter(({ file }) => before[file.name] !== hashFile(file))
      const changed = left.filter(({ file }) => before[file.name] !== undefined)
      for (const { file } of changed)
        context.log.warning(
          `${file.name} changed after it ran on this preview, so it runs again — use reset-preview or reset_on for a preview without the earlier version`,
          'run again',
        )
      if (left.length < scripts.length)
        context.log.info(
          `skipped ${counted(scripts.length - left.length, 'file')} that already ran on this preview`,
        )
      return createFileMigration(context, left)
    },
  }
}

/** Reads the migration from the inputs, before anything runs. @throws ActionError for a file, SqlError for its SQL */
export async function readMigration(
  context: Databases & Commands & WithSettings<'contents' | 'rehearsal'>,
): Promise<Migration> {
  const { workspace, settings } = context
  const { command, migrations } = settings.rehearsal
  if (command !== undefined)
    return {
      what: 'the command',
      isCommand: true,
      files: migrations === undefined ? [] : readSqlFiles(workspace, migrations, 'migrations'),
      ran: {},
      run: (target, watch) => runCommand(context, target, command, watch),
      withoutRunFiles() {
        return this
      },
    } satisfies Migration
  const files = readSqlFiles(workspace, settings.contents.sqlFile ?? [], 'sql_file')
  return createFileMigration(context, await parseFiles(context, files))
}
