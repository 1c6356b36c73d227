// The command that shows a running emulator.

import { parseArgs } from 'node:util'
import { connect } from '../client/services.ts'
import type { Overview } from '../http/control/overview.ts'
import type { ReadyService } from '../library-types.ts'
import { addressIn, flagsOfRunning, keysIn, readFlags } from './running.ts'

async function askFor(url: string): Promise<Overview> {
  let answer: Response
  try {
    answer = await fetch(url)
  } catch {
    throw new Error(`no emulator answers at ${url}: start one, or give its port with --port`)
  }
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}: ask on the emulator's own machine`)
  }
  // The cast is safe: the emulator has the same version as this command.
  return (await answer.json()) as Overview
}

type Row = (string | undefined)[]

/** Rows below their heads, each column as wide as its longest cell. */
function renderTable(heads: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  // Names come from callers: control characters in them must not reach the terminal.
  const all = [heads, ...rows].map(row => row.map((cell = '-') => cell.replaceAll(/\p{C}/gu, '?')))
  const widths = heads.map((_, column) => Math.max(...all.map(row => [...(row[column] ?? '')].length)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join('  ')
  return all.map(row => `  ${line(row).trimEnd()}\n`).join('')
}

const describePoolers = ({ poolers }: Overview) =>
  poolers === undefined ? [] : [poolers === 'relay' ? 'poolers are relays' : `poolers are ${poolers}`]

const columns = ['id', 'name', 'status', 'age', 'size', 'on disk', 'sessions']

function renderAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const units = [
    ['d', 86400],
    ['h', 3600],
    ['m', 60],
  ] as const
  const [unit, length] = units.find(([, least]) => seconds >= least) ?? ['s', 1]
  return `${Math.floor(seconds / length)} ${unit}`
}

/** The cells age, size, on disk, sessions. */
function measures(
  { facts, now }: Overview,
  id: string,
  cpu: number | string | null | undefined,
  memory: number | string | null | undefined,
): string[] {
  const known = facts[id]
  const age = known ? renderAge(Date.parse(now) - Date.parse(known.created)) : '-'
  const size = cpu == null || memory == null ? 'shared' : `${Number(cpu) / 1000} CPU, ${memory} GB`
  const disk = known?.diskBytes === undefined ? '-' : `${(known.diskBytes / 2 ** 20).toFixed(1)} MB`
  return [age, size, disk, String(known?.sessions ?? '-')]
}

const renderAddress = (address: { host?: string; port?: number } | null | undefined) =>
  address?.host === undefined ? '-' : `${address.host}:${address.port}`

function serviceRows(overview: Overview): Row[] {
  const names = new Map(overview.services.map(({ service_id, name }) => [service_id, name]))
  return overview.services.map(({ service_id: id, name, status, resources, forked_from, endpoint }) => {
    const { cpu_millis: cpu, memory_gbs: memory } = resources?.[0]?.spec ?? {}
    const parent = forked_from?.service_id
    const known = parent === undefined ? '-' : (names.get(parent) ?? `${parent}, gone`)
    return [id, name, status, ...measures(overview, id, cpu, memory), known, renderAddress(endpoint)]
  })
}

function replicaRows(overview: Overview): Row[] {
  return overview.services.flatMap(service =>
    (service.read_replica_sets ?? []).map(
      ({ id, name, status, cpu_millis: cpu, memory_gbs: memory, endpoint }) => [
        ...[id, name, status],
        ...measures(overview, id, cpu, memory),
        ...[service.name, renderAddress(endpoint)],
      ],
    ),
  )
}

function networkRows({ vpcs }: Overview): Row[] {
  return vpcs.flatMap(({ id, name, cidr, region_code, status: own, peerings }) => {
    const row = [id, name, cidr, region_code]
    if (peerings.length === 0) return [[...row, '-', own]]
    return peerings.map(({ peer_vpc_id, peer_account_id, status }) => [
      ...row,
      ...[`${peer_vpc_id} of ${peer_account_id}`, status],
    ])
  })
}

/** An overview as tables. */
function renderOverview(overview: Overview): string {
  const { project, basePath, events } = overview
  // Lines of a log become events only when they are read, so the numbers are not in the order of time.
  const byTime = [...events].sort((one, other) => one.at.localeCompare(other.at))
  const happened = byTime.slice(-10).map(event => {
    const text =
      event.kind === 'request'
        ? `${event.status ?? '---'} ${event.method} ${event.path}`
        : `${event.name}: ${event.message}`
    return [event.at.slice(11, 19), text]
  })
  const parts: [string, string[], Row[]][] = [
    ['Services and previews', [...columns, 'parent', 'address'], serviceRows(overview)],
    ['Read replica sets', [...columns, 'of', 'address'], replicaRows(overview)],
    ['VPCs', ['id', 'name', 'range', 'region', 'peering', 'status'], networkRows(overview)],
    ['Recent events', ['time (UTC)', 'what'], happened],
  ]
  const tables = parts
    .filter(([, , rows]) => rows.length > 0)
    .map(([title, heads, rows]) => `\n${title}\n${renderTable(heads, rows)}`)
  const nothing = overview.services.length === 0 ? '\nNo services.\n' : ''
  const about = [`project ${project.id}`, `API at ${basePath}`, ...describePoolers(overview)].join(', ')
  const made = overview.about.length > 0 ? `databases: ${overview.about.join('; ')}\n` : ''
  return `${about}\n${made}${nothing}${tables.join('')}`
}

/** A value for a shell and for files of the environment. */
const quoted = (value: string) =>
  /^[\w./:@%=+-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`

const renderVariables = (variables: Record<string, string | undefined>) =>
  Object.entries(variables)
    .map(([name, value]) => (value === undefined ? '' : `${name}=${quoted(value)}\n`))
    .join('')

/** The variables that libpq and most frameworks read. */
const variablesOf = (service: ReadyService, certificateFile: string | undefined) => ({
  SERVICE_ID: service.id,
  PGHOST: service.host,
  PGPORT: String(service.port),
  PGUSER: service.user,
  PGDATABASE: service.database,
  PGPASSWORD: service.password,
  PGSSLMODE: certificateFile === undefined ? 'require' : 'verify-full',
  PGSSLROOTCERT: certificateFile,
  DATABASE_URL: service.databaseUrl,
})

const statusHelp =
  'status takes -o table, json or env, --service NAME and --keys PUBLIC:SECRET with env, --port N and --host ADDRESS'

/** The emulator's address; with the keys also the connection details of one of its services. */
async function renderEnvironment(
  address: string,
  { project, basePath, certificateFile }: Overview,
  { service, keys: given }: { service?: string | undefined; keys?: string | undefined },
): Promise<string> {
  const keys = given === undefined && service === undefined ? undefined : keysIn(given)
  const baseUrl = `${address}${basePath}`
  const about = { BASE_URL: baseUrl, PROJECT_ID: project.id }
  const secrets = { PUBLIC_KEY: keys?.publicKey, SECRET_KEY: keys?.secretKey }
  if (keys === undefined || service === undefined) return renderVariables({ ...about, ...secrets })
  const found = await connect({ baseUrl, keys }).find(service)
  return renderVariables({ ...about, ...secrets, ...variablesOf(found, certificateFile) })
}

/**
 * `npm run emulator -- status`: the contents of the dashboard, as tables for a terminal, as JSON, or as
 * variables of an environment. Shows passwords only with the keys.
 */
export async function renderRunning(args: string[]): Promise<string> {
  const options = {
    ...flagsOfRunning,
    output: { type: 'string', short: 'o', default: 'table' },
    service: { type: 'string' },
  } as const
  const { values } = readFlags(() => parseArgs({ args, options, strict: true }), statusHelp)
  if (values.help) return `${statusHelp}\n`
  const { output } = values
  if (!['table', 'json', 'env'].includes(output))
    throw new Error(`-o: expected table, json or env, not "${output}"`)
  const address = addressIn(values)
  const overview = await askFor(`${address}/emulator/overview`)
  if (output === 'json') return `${JSON.stringify(overview, undefined, 2)}\n`
  return output === 'env' ? renderEnvironment(address, overview, values) : renderOverview(overview)
}
