/** The simulated databases of services, and the check of published connection details. */
import { ActionError } from '#base/errors'
import type { OpenDatabase } from '#contents/open-database'
import type { SeedFile } from '#contents/sql/seeds'
import type { SqlFile } from '#contents/sql/sql-error'
import type { AllSettings } from '#database/context'
import type { OpenContents } from '#operations/base/context'
import { databaseOf, type Outcome } from '#operations/base/outcome'
import type { Connection } from '#postgres/connection'
import type { PreviewReport } from '#preview/base/github'
import type { Process } from './process.ts'
import type { Forecast } from './weather.ts'
import type { World } from './world.ts'

/** Milliseconds until the server acts for a session, and until its answer arrives. */
const sessionTimes = { done: 15, answered: 30 }

function drawSeedTimes({ thirdChance }: World) {
  const done = thirdChance.pick([sessionTimes.done, 4000])
  return { done, answered: done + sessionTimes.done }
}

/** The server's error for a failing SQL file. */
class SeedError extends ActionError {
  constructor({ name }: SqlFile) {
    super(
      `${name}:1:1: syntax error at or near "fails" (SQLSTATE 42601); all statements of ${name} are rolled back; nothing else ran`,
      'correct the statement',
    )
  }
}

/** The masking error for an original that was found. */
class OriginalsFoundError extends ActionError {
  constructor() {
    super('originals were found after masking: public.people.note: 1 original', 'give these columns a rule')
  }
}

export interface DatabaseAccess {
  world: World
  process: Process
  weather: Forecast
  /** Logs in; returns the service's id. */
  logIn(connection: Connection): Promise<string>
}

/** The database of a service in one session. The server completes a request even if its sender is killed. */
function openDatabase(
  { world, process, weather }: DatabaseAccess,
  id: string,
): OpenDatabase & { close(): void } {
  const held = world.held(id)
  const lock = { process }
  let isClosed = false
  function ask<Value>(what: string, act: () => Value, { done, answered } = sessionTimes): Promise<Value> {
    process.trace(`${what} in the database of ${id}`)
    return process.wait<Value>(process.signal, settle => {
      let answer: Value | undefined
      let refusal: Error | undefined
      world.time.schedule(done, () => {
        try {
          answer = act()
        } catch (error) {
          refusal = error as Error
        }
      })
      settle.at(answered, () => {
        if (refusal) settle.reject(refusal)
        else if (weather.fails('the session breaks')) settle.reject(new Error('ECONNRESET'))
        else settle.resolve(answer as Value)
      })
    })
  }
  return {
    tryLock: () =>
      ask('locks', () => {
        const isIdle = world.time.now >= held.busyUntil
        const isFree = held.lock === undefined || held.lock === lock || held.lock.process.isKilled
        if (isFree && isIdle && !isClosed) held.lock = lock
        return isFree && isIdle
      }),
    readNote: () => ask('reads', () => ({ text: held.text, startedAt: String(world.startedAt(id)) })),
    writeNote: text =>
      ask('writes', () => {
        held.text = text
      }),
    quarantine: () =>
      ask('quarantines', () => {
        held.quarantinedAt = world.startedAt(id)
        const job = { id: '1', kind: 'job' as const, name: 'send_mail', database: 'tsdb' }
        return {
          at: 0,
          quarantined: [job],
          kept: [],
          undone: world.undone,
          ran: [],
          callers: [],
          remarks: [],
        }
      }),
    checkMaskFile: () => ask('checks rules', () => ({ columns: 1, tables: 1, untried: 0 })),
    proposeRules: () => ask('proposes rules', () => 'public.people:\n  email: email\n'),
    storeSchema: serviceId =>
      ask('keeps the schema', () => {
        if (held.seeds.length > 0) world.wrongSchemas.push(id)
        held.schemaOf = serviceId
      }),
    readMaskingStamp: () => ask('reads the masking stamp', () => held.stamp),
    mask: ({ source, at, run }) => {
      const takes = { done: 20_000, answered: 20_015 }
      if (held.isBeingMasked) world.maskedTwice.push(id)
      held.isBeingMasked = true
      const act = () => {
        if (world.hasOriginals) throw new OriginalsFoundError()
        held.stamp = { source, at, run, file: 'hash of the file', catalog: 'hash of the catalog' }
        return { summary: '1 column, 10 rows', report: [] }
      }
      return ask('masks', act, takes)
    },
    seed(file, text) {
      const { thirdChance } = world
      const taking = drawSeedTimes(world)
      // If the sender disappears, the server continues for a while, and then rolls back without a commit.
      held.busyUntil = world.time.now + taking.done
      const run = () => {
        if ((isClosed || process.isKilled) && thirdChance.hits(0.5)) return
        if (file.text === 'fails') throw new SeedError(file)
        if (held.seeds.includes(file.name)) world.filledTwice.push(id)
        held.seeds.push(file.name)
        held.text = text
      }
      return ask(`runs ${file.name}`, run, taking)
    },
    close() {
      isClosed = true
      if (held.lock === lock) held.lock = undefined
    },
  }
}

/** The access of a process to the contents of databases. */
export function openContents(opening: DatabaseAccess): OpenContents {
  return async (connection, _, use) => {
    const database = openDatabase(opening, await opening.logIn(connection))
    try {
      return await use(database)
    } finally {
      database.close()
    }
  }
}

/** Whether an outcome contains the connection details of a service. */
const hasConnectionDetails = (outcome: Outcome) =>
  outcome.password !== undefined ||
  outcome.initialPassword !== undefined ||
  databaseOf(outcome)?.endpoint !== undefined

/** Records connection details that a process publishes too early. */
export function checkPublications(
  world: World,
  process: Process,
  { settings, seeds = [] }: { settings: AllSettings; seeds?: SeedFile[] },
) {
  const by = process.name
  const isQuarantined = settings.quarantine !== false
  const isMasked = settings.preview.masked || settings.preview.maskFile !== undefined

  function isUnreachable(id: string): boolean {
    const { unreachable } = world
    if (process.log.some(({ line }) => line.includes(`service ${id} is not quarantined`))) unreachable.add(id)
    return unreachable.has(id)
  }

  function check(id: string, how: string): void {
    const held = world.held(id)
    const isOwnNote = held.text?.includes(id) === true
    if (isOwnNote && held.text?.includes('"schema_kept":true') && held.schemaOf !== id)
      world.wrongSchemas.push(id)
    if (isMasked && held.stamp === undefined)
      world.leaks.push({ id, by, how: `${how} without a masking stamp`, isUnmasked: true })
    if (!isQuarantined || world.parentOf(id) === undefined || isUnreachable(id)) return
    const missing = world.seeds.filter(({ name }) => !held.seeds.includes(name)).map(({ name }) => name)
    // Only a run that creates previews has seed files. In an old database without a note, get-connection only verifies
    // the quarantine.
    const isToBeFilled = seeds.length > 0 || (isOwnNote && !held.text?.includes('"adopted":true'))
    if (held.quarantinedAt === undefined) world.leaks.push({ id, by, how })
    else if (isToBeFilled && missing.length > 0)
      world.leaks.push({ id, by, how: `${how} without ${missing}` })
  }

  /** A text for people contains no address of a fork without a quarantine. */
  function checkText(text: string, how: string): void {
    if (!isQuarantined) return
    for (const [, id = ''] of text.matchAll(/\b(\w+)\.(?:databases|pooler|vpc)\.invalid/g)) {
      const isOpen = world.held(id).quarantinedAt === undefined && world.parentOf(id) !== undefined
      if (isOpen && !isUnreachable(id)) world.leaks.push({ id, by, how })
    }
  }

  return {
    text: checkText,
    outcome(outcome: Outcome, how: string): void {
      const id = outcome.ids.service_id
      if (id !== undefined && outcome.skipped === undefined && hasConnectionDetails(outcome)) check(id, how)
    },
    comment({ serviceId, url, host, problem = '' }: PreviewReport): void {
      checkText(problem, 'the comment')
      if (serviceId !== undefined && (url ?? host) !== undefined) check(serviceId, 'the comment')
    },
  }
}

export type PublicationCheck = ReturnType<typeof checkPublications>
