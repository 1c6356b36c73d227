/** The context of an operation: its settings, and its capabilities to log, wait, call, create and connect. */
import type { SourcePlace } from '#base/errors'
import type { Seam } from '#base/seam'
import type { Client } from '#client/client'
import type { OpenDatabase } from '#contents/open-database'
import type { Activity } from '#postgres/activity'
import type { Connection, LoginConnection } from '#postgres/connection'
import type { Session, SessionOptions } from '#postgres/session'
import type { SettingsOf } from './input-row.ts'
import type { stepInputs } from './inputs.ts'
import type { CreatedRecord, Intent } from './journaled.ts'
import type { Outcome } from './outcome.ts'
import type { TimelineRecorder } from './timeline.ts'

/** The log of operations. Every line goes through the single writer of src/action. */
export interface Log {
  info(line: string): void
  /** For information that the user should see at a glance. */
  notice(line: string): void
  /** `about` is a short constant text: the title of GitHub's annotation. `place` is its position in a file. */
  warning(line: string, about?: string, place?: SourcePlace): void
  debug(line: string): void
}

/** The path, query and body fields that the inputs give, in the API's own types. */
export type GivenParameters = Record<string, unknown>

/** Records each creation of the step, so that the post step knows it even after a kill. */
export interface Journal {
  /** Saves the intent to create a record. Throws if that fails: then nothing may be created. */
  intend(intent: Intent): void
  /** Deletes the intent: nothing was created, so there is nothing to clean up. */
  withdraw(): void
  /** Called after the answer and before any wait: masks the password, saves and logs the id, sets the outputs. */
  announce(record: CreatedRecord, outcome: Outcome): void
  /** Called when the operation fails: sets further outputs that are known about its record. */
  publish(outcome: Outcome): void
}

/** From the inputs. Times in milliseconds. */
export interface Settings
  extends Pick<
    SettingsOf<typeof stepInputs>,
    'wait' | 'waitForConnection' | 'cleanup' | 'dryRun' | 'listLag' | 'quarantine' | 'keepActive'
  > {
  projectId: string | undefined
  /** Whether the input password_secret is set. */
  hasPasswordSecret: boolean
  /** Connection details of the database, except host and port. */
  login: { user: string; database: string; sslmode: string }
}

export type Cleanup = Settings['cleanup']

/** The part of a context with these settings, for a function that needs no others. */
export interface WithSettings<Names extends keyof Settings> {
  settings: Pick<Settings, Names>
}

/** The capability to wait and to log, until the deadline or a cancellation. */
export interface Waiting {
  seam: Seam
  log: Log
  signal: AbortSignal
  /** The deadline of the whole operation, on the clock of the seam's `now`. */
  deadline: number
  timeline: TimelineRecorder
}

/** The capability to call the API, and to wait until a record shows the result. */
export interface Calls extends Waiting, WithSettings<'listLag'> {
  client: Client
}

/** The capability to create records, each saved before its request. */
export interface Creating extends Calls {
  journal: Journal
}

/** Opens a database, runs `use`, and closes it. `timeout`: milliseconds for connecting. */
export type OpenContents = <Result>(
  connection: LoginConnection,
  timeout: number,
  use: (database: OpenDatabase) => Promise<Result>,
) => Promise<Result>

/** The capability to connect to databases. */
export interface Databases extends Waiting, WithSettings<'login' | 'waitForConnection'> {
  /** Derives the password of a service, and masks it. Operations never see the secret behind it. */
  derivePassword(serviceId: string): string
  mask(secret: string): void
  /** Resolves when the server is ready; rejects otherwise. Leaves a usage marker in the database on request, if possible. */
  probe(connection: Connection, timeout: number, options?: { leavesMarker: boolean }): Promise<void>
  /** Runs `use` in a session (src/postgres/session.ts), until the step is cancelled. */
  withSession<Result>(
    connection: LoginConnection,
    options: Omit<SessionOptions, 'signal'>,
    use: (session: Session) => Promise<Result>,
  ): Promise<Result>
  /** Asks the database whether it is in use. Rejects if the answer leaves any doubt. */
  readActivity(connection: LoginConnection, timeout: number): Promise<Activity>
  openContents: OpenContents
}

/** The capability to run a command of the user. */
export interface Commands extends Waiting {
  workspace: string
  /**
   * Runs a command in the workspace, and resolves with its exit code. Its output goes to the log. It gets `variables`,
   * and those of the job's variables that contain no input, token or secret. Aborting `signal` stops it.
   */
  runCommand(
    command: string,
    variables: Record<string, string>,
    options: { signal: AbortSignal; onLine?: (line: string) => void },
  ): Promise<number>
}

/** All capabilities of an operation. Only its `run` takes all of them: other functions take the ones that they use. */
export interface Context extends Creating, Databases, Commands {
  settings: Settings
}
