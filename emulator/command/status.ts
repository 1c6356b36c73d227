import { parseArgs } from 'node:util'
import type { Overview } from '../http/control/overview.ts'

/** The address of the emulator that the flags name. */
function addressIn(args: string[]): string {
  let values: { port: string; host: string }
  try {
    const options = {
      port: { type: 'string', default: '8787' },
      host: { type: 'string', default: '127.0.0.1' },
    } as const
    values = parseArgs({ args, options, strict: true }).values
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
    throw new Error(`${message}; status takes --port N and --host ADDRESS`)
  }
  const { port, host } = values
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port: expected a number, not "${port}"`)
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function askFor(url: string): Promise<Overview> {
  let answer: Response
  try {
    answer = await fetch(url)
  } catch {
    throw new Error(`no emulator answers at ${url}: start one, or name its --port`)
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
  return vpcs.flatMap(({ id, name, cidr, region_code, peerings }) => {
    const row = [id, name, cidr, region_code]
    if (peerings.length === 0) return [[...row, '-', '-']]
    return peerings.map(({ peer_vpc_id, peer_account_id, status }) => [
      ...row,
      ...[`${peer_vpc_id} of ${peer_account_id}`, status],
    ])
  })
}

/** An overview as tables. */
function renderOverview(overview: Overview): string {
  const { project, basePath, events } = overview
  // A log's lines become events only when somebody looks, so the numbers are not in the order of time.
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
    ['Last of what happened', ['time (UTC)', 'what'], happened],
  ]
  const tables = parts
    .filter(([, , rows]) => rows.length > 0)
    .map(([title, heads, rows]) => `\n${title}\n${renderTable(heads, rows)}`)
  const nothing = overview.services.length === 0 ? '\nNo services.\n' : ''
  const about = [`project ${project.id}`, `API at ${basePath}`, ...describePoolers(overview)].join(', ')
  const made = overview.about.length > 0 ? `databases: ${overview.about.join('; ')}\n` : ''
  return `${about}\n${made}${nothing}${tables.join('')}`
}

/** `npm run emulator -- status`: what the dashboard shows, as tables for a terminal. Passwords are never shown. */
export async function renderRunning(args: string[]): Promise<string> {
  const url = `${addressIn(args)}/emulator/overview`
  return renderOverview(await askFor(url))
}
