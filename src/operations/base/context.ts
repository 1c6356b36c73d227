import type { Seam } from '#base/seam'
import type { Client } from '#client/client'
import type { Activity } from '#postgres/activity'
import type { Connection } from '#postgres/connection'
import type { Mark } from '#postgres/marks'
import type { Session, SessionOptions } from '#postgres/session'
import type { OpenContents } from './contents.ts'
import type { SettingsOf } from './input-row.ts'
import type { stepInputs } from './inputs.ts'
import type { CreatedRecord, Intent } from './journaled.ts'
import type { Log } from './log.ts'
import type { Outcome } from './outcome.ts'
import type { Parts } from './parts.ts'

/** Path, query and body fields in the API's own types, as the inputs gave them. */
export type GivenParameters = Record<string, unknown>

/** How the step remembers what it creates, even if it is killed halfway. */
export interface Journal {
  /** Saves what is about to be created. Throws if that cannot be written: then nothing may be created. */
  intend(intent: Intent): void
  /** Forgets the intent: nothing was created, so there is nothing to clean up. */
  withdraw(): void
  /** Called once the answer is read, before any wait: masks the password, saves and logs the id, sets the outputs. */
  announce(record: CreatedRecord, outcome: Outcome): void
  /** Called when the operation fails: sets the outputs to what is known of its record, beside what was announced. */
  tell(outcome: Outcome): void
}

type StepSettings = SettingsOf<typeof stepInputs>

/** How the operation is to run, from the inputs. Times in milliseconds. */
export interface Settings
  extends Pick<
    StepSettings,
    'wait' | 'waitForConnection' | 'cleanup' | 'dryRun' | 'listLag' | 'quarantine' | 'keepActive'
  > {
  projectId: string | undefined
  /** How to connect to the database, apart from host and port. */
  login: { user: string; database: string; sslmode: string }
}

/** What the post step deletes of what the step created. */
export type Cleanup = Settings['cleanup']

/** The settings of these names. */
export interface WithSettings<Names extends keyof Settings> {
  settings: Pick<Settings, Names>
}

/** May wait until the deadline, and log its progress. */
export interface Waiting {
  seam: Seam
  log: Log
  signal: AbortSignal
  /** When the whole operation must be over: a moment of the seam's `now`. */
  deadline: number
  /** Records what the time is spent on. */
  parts: Parts
}

/** May call the API, and wait until a record shows the result. */
export interface Calls extends Waiting, WithSettings<'listLag'> {
  client: Client
}

/** May create records, each saved before its request. */
export interface Creating extends Calls {
  journal: Journal
}

/** May log in to databases. */
export interface Databases extends Waiting, WithSettings<'login' | 'waitForConnection'> {
  /** The password that belongs to a service, derived here so that no operation holds the secret. */
  derivePassword(serviceId: string): string
  /** Hides a secret from all that is printed from now on. */
  mask(secret: string): void
  /**
   * Resolves when a server of the Postgres protocol answers and is ready; rejects otherwise. With `mark`, a login leaves
   * that mark in the database, if it can.
   */
  probe(connection: Connection, timeout: number, mark?: Mark): Promise<void>
  /** Logs in to a database and lets `use` ask; as `withSession` of src/postgres/session.ts, until the step is cancelled. */
  withSession<Result>(
    connection: Connection & { password: string },
    options: Omit<SessionOptions, 'signal'>,
    use: (session: Session) => Promise<Result>,
  ): Promise<Result>
  /** Asks a database itself whether it is used; rejects if its answer leaves any doubt. */
  readActivity(connection: Connection & { password: string }, timeout: number): Promise<Activity>
  /** Opens a database to do something with what it holds. */
  openContents: OpenContents
}

/** May run commands of the workflow. */
export interface Commands extends Waiting {
  /** The folder that the repository is checked out to. */
  workspace: string
  /**
   * Runs a command of the workflow in the workspace, and resolves with its exit code. What it prints goes to the log. Of the job's
   * variables it gets those that hold no input, token or secret, and `variables`. Aborting `signal` ends it.
   */
  runCommand(
    command: string,
    variables: Record<string, string>,
    options: { signal: AbortSignal; onLine?: (line: string) => void },
  ): Promise<number>
}

/** Everything an operation works with. Only its `run` takes all of it: any other function takes the slices that it uses. */
export interface Context extends Creating, Databases, Commands {
  settings: Settings
}
