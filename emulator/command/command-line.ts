// Parses the flags of the emulator.

import { parseArgs } from 'node:util'
import { parseDuration } from '#base/duration'
import { suggestionClause } from '#base/suggest'
import { given } from '../given.ts'
import type { EmulatorOptions } from '../library-types.ts'

interface CommandLine {
  help: boolean
  /** Whether it continues after the process that started it has ended. */
  detached: boolean
  /** The file with the initial faults. */
  faultsFile: string | undefined
  /** The file with the profile of another server. */
  profileFile: string | undefined
  /** Only the given options, and the port and the host. */
  options: EmulatorOptions
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const flags = {
  port: text,
  host: text,
  faults: text,
  like: text,
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
  'time-series-type': text,
  'max-services': text,
  ports: text,
  'allow-host': { ...text, multiple: true },
  temp: text,
  data: text,
  postgres: text,
  extensions: text,
  'no-databases': flag,
  'no-stand-ins': flag,
  detached: flag,
  help: { ...flag, short: 'h' },
} as const

function parseFlags(args: string[]) {
  try {
    return parseArgs({ args, options: flags, strict: true }).values
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    const [, flag = ''] = /'(--[\w-]+)/.exec(message) ?? []
    const hint = suggestionClause(
      flag,
      Object.keys(flags).map(name => `--${name}`),
    )
    throw new Error(`${message}${hint}; --help lists the flags`)
  }
}

function unexpected(name: string, expected: string, given: string): Error {
  return new Error(`--${name}: expected ${expected}, not "${given}"`)
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

type FolderFlags = { [Name in 'temp' | 'data' | 'postgres' | 'extensions']?: string | undefined }

function folders({ temp, data, postgres, extensions }: FolderFlags) {
  for (const [name, given] of Object.entries({ temp, data, postgres, extensions })) {
    if (given === '') throw new Error(`--${name}: expected a folder`)
  }
  if (temp !== undefined && data !== undefined) {
    throw new Error('--temp, --data: expected only one of them; with --data, everything is in its folder')
  }
  return { temp, data, postgres, extensions }
}

interface KeyFlags {
  keys?: string | undefined
  'public-key'?: string | undefined
  'secret-key'?: string | undefined
}

function key(name: string, text: string | undefined, pattern: RegExp, expected: string): string | undefined {
  // The key is not repeated: it may be a real one, used by mistake.
  if (text !== undefined && !pattern.test(text)) throw new Error(`--${name}: expected ${expected}`)
  return text
}

function keys({ keys: both, 'public-key': publicKey, 'secret-key': secretKey }: KeyFlags) {
  if (both !== undefined && (publicKey ?? secretKey) !== undefined) {
    throw new Error('--keys: expected either --keys or --public-key and --secret-key, not both')
  }
  const visible = 'visible ASCII characters'
  if (both !== undefined) key('keys', both, /^[!-9;-~]+:[!-~]+$/, `PUBLIC:SECRET in ${visible}`)
  const [first, ...rest] = both?.split(':') ?? []
  const secret = both === undefined ? secretKey : rest.join(':')
  return {
    publicKey: key('public-key', first ?? publicKey, /^[!-9;-~]+$/, `${visible} except ":"`),
    secretKey: key('secret-key', secret, /^[!-~]+$/, visible),
  }
}

/** The first and the last port for databases. */
function portRange(text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined
  const [, first = '', last = ''] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []
  const range: [number, number] = [Number(first), Number(last)]
  if (first === '' || range[0] < 1 || range[1] > 65535 || range[0] > range[1]) {
    throw unexpected('ports', 'the first and the last port, like 20000-20099', text)
  }
  return range
}

function hosts(names: string[] = []): string[] {
  return names.map(name => {
    const isName = /^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])$/i.test(name)
    if (!isName) throw unexpected('allow-host', 'the name of a host, without port', name)
    return name.toLowerCase()
  })
}

function project(id: string | undefined) {
  if (id === undefined || /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id)) return id
  throw unexpected('project', 'an id of up to 64 letters, digits, "-" and "_"', id)
}

function fate(given: string | undefined): 'accepted' | 'pending' | 'failed' | undefined {
  if (given === undefined || given === 'accepted' || given === 'pending' || given === 'failed') return given
  throw unexpected('peerings', 'accepted, pending or failed', given)
}

function timeSeriesType(given: string | undefined): EmulatorOptions['timeSeriesType'] {
  if (given === undefined || given === 'TIMESERIESDB' || given === 'TIMESCALEDB') return given
  throw unexpected('time-series-type', 'TIMESERIESDB or TIMESCALEDB', given)
}

/** Parses the flags. Throws an `Error` that names the wrong flag and the expected value. */
export function parseCommandLine(args: string[]): CommandLine {
  const values = parseFlags(args)
  return {
    help: values.help ?? false,
    detached: values.detached ?? false,
    faultsFile: values.faults,
    profileFile: values.like,
    options: {
      port: number('port', values.port, 65535) ?? 8787,
      host: values.host ?? '127.0.0.1',
      databases: !values['no-databases'],
      ...given({
        ...folders(values),
        standIns: values['no-stand-ins'] ? false : undefined,
        ...keys(values),
        ports: portRange(values.ports),
        allowHosts: hosts(values['allow-host']),
        projectId: project(values.project),
        snapshotEvery: duration('snapshot-every', values['snapshot-every']),
        readyAfter: duration('ready-after', values['ready-after']),
        changeAfter: duration('change-after', values['change-after']),
        deleteAfter: duration('delete-after', values['delete-after']),
        snapshotAfter: duration('snapshot-after', values['snapshot-after']),
        peeringAfter: duration('peering-after', values['peering-after']),
        vpcBusyFor: duration('vpc-busy-for', values['vpc-busy-for']),
        peerings: fate(values.peerings),
        timeSeriesType: timeSeriesType(values['time-series-type']),
        maxServices: number('max-services', values['max-services'], 1_000_000),
      }),
    },
  }
}
