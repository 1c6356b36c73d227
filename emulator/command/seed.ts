/** The command that fills a service. */
import { parseArgs } from 'node:util'
import { describeSource, fillDatabase, findSources } from '../client/seeds.ts'
import { connect } from '../client/services.ts'
import type { ReadyService } from '../library-types.ts'
import { readAddress, readFlags, readKeys, sharedFlags } from './shared-flags.ts'

export const seedHelp =
  'seed takes --keys PUBLIC:SECRET, --name NAME or --service ID, --port N, --host ADDRESS, and then sources'

function parse(args: string[]) {
  const options = { ...sharedFlags, name: { type: 'string' }, service: { type: 'string' } } as const
  const names = Object.keys(options)
  return readFlags(() => parseArgs({ args, options, strict: true, allowPositionals: true }), names, seedHelp)
}

const renderFilled = ({ id, name, databaseUrl }: ReadyService, sources: string[]) =>
  `service ${id} (${name}) is filled from ${sources.map(describeSource).join(', ')}, with a snapshot\n${databaseUrl}\n`

/**
 * `npm run emulator -- seed`: creates a service in a running emulator, or takes an existing one, and fills it from SQL
 * files and databases. Returns the text to print.
 * @param folder of the file names: npm starts a script in the folder of the package, and passes the caller's folder
 */
export async function seed(args: string[], folder = process.env.INIT_CWD ?? process.cwd()): Promise<string> {
  const { values, positionals: sources } = parse(args)
  if (values.help) return `${seedHelp}\n`
  if (sources.length === 0) throw new Error(`expected files of SQL, or a postgresql:// address; ${seedHelp}`)
  if (values.name !== undefined && values.service !== undefined) {
    throw new Error(
      '--name, --service: expected only one: --name for a new service, --service for an existing one',
    )
  }
  const found = await findSources(sources, folder)
  const services = connect({ baseUrl: `${readAddress(values)}/public/api/v1`, keys: readKeys(values.keys) })
  if (values.service === undefined) {
    const created = await services.createService({ ...(values.name && { name: values.name }), seed: found })
    return renderFilled(created, sources)
  }
  const service = await services.find(values.service)
  for (const source of found) await fillDatabase(service, source)
  await service.takeSnapshot()
  return renderFilled(service, sources)
}
