/** Parses the flags of the emulator. */
import { parseArgs } from 'node:util'
import { parseDuration } from '#base/duration'
import { renderFlagProblem } from '#base/suggest'
import type { EmulatorOptions } from '../library-types.ts'

interface CommandLine {
  help: boolean
  /** Whether the emulator continues after the process that started it has ended. */
  detached: boolean
  /** The file with the initial faults. */
  faultsFile: string | undefined
  /** The file with the profile of another server. */
  profileFile: string | undefined
  /** The given options, and the defaults of `port`, `host` and `databases`. */
  options: EmulatorOptions
}

interface Flag {
  type: 'string' | 'boolean'
  multiple?: true
  short?: string
  /** The option that the flag sets; undefined for a flag of the command line only. */
  option?: keyof EmulatorOptions
  /** Parses the value; returns undefined if it is malformed. */
  read?: (given: string) => unknown
  expected?: string
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const reading = (option: keyof EmulatorOptions, expected: string, read: NonNullable<Flag['read']>) => ({
  ...text,
  option,
  expected,
  read,
})
const matching = (option: keyof EmulatorOptions, pattern: RegExp, expected: string) =>
  reading(option, expected, given => (pattern.test(given) ? given : undefined))
const time = (option: keyof EmulatorOptions) =>
  reading(option, 'a time like 500ms, 2s or 1m', given => parseDuration(given))
const folder = (option: keyof EmulatorOptions) => matching(option, /./, 'a folder')
const upTo = (option: keyof EmulatorOptions, most: number) =>
  reading(option, `a whole number up to ${most}`, given =>
    /^\d{1,7}$/.test(given) && Number(given) <= most ? Number(given) : undefined,
  )

/** The first and the last port for databases. */
function readPorts(given: string): [number, number] | undefined {
  const [, first, last] = (/^(\d{1,5})-(\d{1,5})$/.exec(given) ?? []).map(Number)
  if (first === undefined || last === undefined) return undefined
  return first >= 1 && last <= 65_535 && first <= last ? [first, last] : undefined
}

const hostName = /^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])$/i

export const flags: Record<string, Flag> = {
  port: upTo('port', 65_535),
  host: { ...text, option: 'host', read: given => given },
  faults: text,
  like: text,
  keys: text,
  project: matching(
    'projectId',
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'an id of up to 64 letters, digits, "-" and "_"',
  ),
  'ready-after': time('readyAfter'),
  'change-after': time('changeAfter'),
  'delete-after': time('deleteAfter'),
  'snapshot-after': time('snapshotAfter'),
  'snapshot-every': time('snapshotEvery'),
  'peering-after': time('peeringAfter'),
  'vpc-busy-for': time('vpcBusyFor'),
  peerings: matching('peerings', /^(?:accepted|pending|failed)$/, 'accepted, pending or failed'),
  'time-series-type': matching('timeSeriesType', /^TIME(?:SERIES|SCALE)DB$/, 'TIMESERIESDB or TIMESCALEDB'),
  'max-services': upTo('maxServices', 1_000_000),
  ports: reading('ports', 'the first and the last port, like 20000-20099', readPorts),
  'allow-host': {
    ...reading('allowHosts', 'the name of a host, without port', given =>
      hostName.test(given) ? given.toLowerCase() : undefined,
    ),
    multiple: true,
  },
  temp: folder('temp'),
  data: folder('data'),
  postgres: folder('postgres'),
  extensions: folder('extensions'),
  'no-databases': flag,
  'no-stand-ins': flag,
  detached: flag,
  help: { ...flag, short: 'h' },
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({ args, options: flags, strict: true }).values
  } catch (error) {
    throw new Error(`${renderFlagProblem(error, Object.keys(flags))}; --help lists the flags`)
  }
}

/** The halves of `--keys`. Errors do not repeat a key: it may be a real one, used by mistake. */
function splitKeys(given: unknown): Record<string, string> {
  if (given === undefined) return {}
  const [, publicKey, secretKey] = /^([!-9;-~]+):([!-~]+)$/.exec(String(given)) ?? []
  if (publicKey === undefined || secretKey === undefined)
    throw new Error('--keys: expected PUBLIC:SECRET in visible ASCII characters')
  return { publicKey, secretKey }
}

function readValue(name: string, given: string, { expected, read }: Flag): unknown {
  const value = read?.(given)
  if (value !== undefined) return value
  throw new Error(`--${name}: expected ${expected}, not "${given}"`)
}

/** Parses the flags. Throws an `Error` that names the wrong flag and the expected value. */
export function parseCommandLine(args: string[]): CommandLine {
  const { keys, ...values } = parseFlags(args)
  const given = Object.entries(values).flatMap(([name, value]) => {
    const row = flags[name]
    if (row?.option === undefined || value === undefined) return []
    const read = (one: unknown) => readValue(name, String(one), row)
    return [[row.option, Array.isArray(value) ? value.map(read) : read(value)]]
  })
  if (values.temp !== undefined && values.data !== undefined)
    throw new Error('--temp, --data: expected only one of them; with --data, everything is in its folder')
  const { faults, like } = values
  return {
    help: values.help === true,
    detached: values.detached === true,
    faultsFile: faults === undefined ? undefined : String(faults),
    profileFile: like === undefined ? undefined : String(like),
    options: {
      port: 8787,
      host: '127.0.0.1',
      databases: !values['no-databases'],
      ...(values['no-stand-ins'] && { standIns: false }),
      ...splitKeys(keys),
      ...Object.fromEntries(given),
    },
  }
}
