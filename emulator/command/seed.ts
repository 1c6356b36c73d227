// The command that fills a service.

import { parseArgs } from 'node:util'
import { fill, findSources, nameOf } from '../client/seeds.ts'
import { connect } from '../client/services.ts'
import type { ReadyService } from '../library-types.ts'
import { addressIn, flagsOfRunning, keysIn, readFlags } from './running.ts'

export const seedHelp =
  'seed takes --keys PUBLIC:SECRET, --name NAME or --service ID, --port N, --host ADDRESS, and then sources'

function parse(args: string[]) {
  const options = { ...flagsOfRunning, name: { type: 'string' }, service: { type: 'string' } } as const
  return readFlags(() => parseArgs({ args, options, strict: true, allowPositionals: true }), seedHelp)
}

/** The format of later commands, like `status -o env`. */
const renderFilled = ({ id, name, databaseUrl }: ReadyService, sources: string[]) =>
  `service ${id} (${name}) is filled from ${sources.map(nameOf).join(', ')}, with a snapshot\n${databaseUrl}\n`

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
      '--name, --service: expected only one of them: the name of a new service, or of an existing one',
    )
  }
  const found = await findSources(sources, folder)
  const services = connect({ baseUrl: `${addressIn(values)}/public/api/v1`, keys: keysIn(values.keys) })
  if (values.service === undefined) {
    const created = await services.createService({ ...(values.name && { name: values.name }), seed: found })
    return renderFilled(created, sources)
  }
  const service = await services.find(values.service)
  for (const source of found) await fill(service, source)
  await service.takeSnapshot()
  return renderFilled(service, sources)
}
