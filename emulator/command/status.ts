/** The command that shows a running emulator. */
import { parseArgs } from 'node:util'
import { noAnswerError } from '../client/access.ts'
import { connect } from '../client/services.ts'
import type { Overview } from '../http/control/overview.ts'
import type { ReadyService } from '../library-types.ts'
import { readAddress, readFlags, readKeys, sharedFlags } from './shared-flags.ts'
import { renderVariables } from './variables.ts'

async function fetchOverview(url: string): Promise<Overview> {
  let answer: Response
  try {
    answer = await fetch(url)
  } catch (failure) {
    throw noAnswerError(url, failure)
  }
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}: run status on the machine of the emulator`)
  }
  // The cast is safe: the emulator has the same version as this command.
  return (await answer.json()) as Overview
}

/** Lines with aligned columns. */
function renderRows(rows: string[][]): string {
  const widthOf = (column: number) => Math.max(...rows.map(row => row[column]?.length ?? 0))
  const renderRow = (row: string[]) => row.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')
  return rows.map(row => `${renderRow(row).trimEnd()}\n`).join('')
}

/** A line for each service. The dashboard shows everything else. */
function renderServices({ services }: Overview, address: string): string {
  const rows = services.map(({ service_id, name = '', status = '', endpoint }) => [
    ...[service_id, status],
    // Names come from callers: control characters in them must not reach the terminal.
    name.replaceAll(/\p{C}/gu, '?'),
    endpoint?.host === undefined ? '' : `${endpoint.host}:${endpoint.port}`,
  ])
  return `${renderRows(rows) || 'No services.\n'}${address} shows more in a browser.\n`
}

/** Without the requests, of which a single waiting step sends hundreds: the dashboard shows them. */
function renderJson(overview: Overview): string {
  const events = overview.events.filter(({ kind }) => kind !== 'request')
  return `${JSON.stringify({ ...overview, events }, undefined, 2)}\n`
}

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

/** The variables of one service's database, or those of the API. An application may read `SECRET_KEY` as its own. */
async function renderEnvironment(
  address: string,
  { project, basePath, certificateFile }: Overview,
  { service, keys: given }: { service?: string | undefined; keys?: string | undefined },
): Promise<string> {
  const baseUrl = `${address}${basePath}`
  if (service !== undefined) {
    const found = await connect({ baseUrl, keys: readKeys(given) }).find(service)
    return renderVariables(variablesOf(found, certificateFile))
  }
  const { publicKey, secretKey } = given === undefined ? {} : readKeys(given)
  return renderVariables({
    BASE_URL: baseUrl,
    PROJECT_ID: project.id,
    PUBLIC_KEY: publicKey,
    SECRET_KEY: secretKey,
  })
}

/**
 * `npm run emulator -- status`: the services for a terminal, the contents of the dashboard without requests as JSON, or
 * variables of an environment. Shows passwords only with the keys.
 */
export async function renderStatus(args: string[]): Promise<string> {
  const options = {
    ...sharedFlags,
    output: { type: 'string', short: 'o', default: 'table' },
    service: { type: 'string' },
  } as const
  const names = Object.keys(options)
  const { values } = readFlags(() => parseArgs({ args, options, strict: true }), names, statusHelp)
  if (values.help) return `${statusHelp}\n`
  const { output } = values
  if (!['table', 'json', 'env'].includes(output))
    throw new Error(`-o: expected table, json or env, not "${output}"`)
  const address = readAddress(values)
  const overview = await fetchOverview(`${address}/emulator/overview`)
  if (output === 'json') return renderJson(overview)
  return output === 'env' ? renderEnvironment(address, overview, values) : renderServices(overview, address)
}
