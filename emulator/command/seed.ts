import { parseArgs } from 'node:util'
import { fill, nameOf } from '../client/seeds.ts'
import { connect } from '../client/services.ts'
import type { ReadyService } from '../library-types.ts'
import { addressIn, flagsOfRunning, keysIn, readFlags } from './running.ts'

export const seedHelp =
  'seed takes --keys PUBLIC:SECRET, --name NAME or --service ID, --port N, --host ADDRESS, and then sources'

function parse(args: string[]) {
  const options = { ...flagsOfRunning, name: { type: 'string' }, service: { type: 'string' } } as const
  return readFlags(() => parseArgs({ args, options, strict: true, allowPositionals: true }), seedHelp)
}

/** What later commands take, like `status -o env`. */
const renderFilled = ({ id, name, databaseUrl }: ReadyService, sources: string[]) =>
  `service ${id} (${name}) is filled from ${sources.map(nameOf).join(', ')}, with a snapshot\n${databaseUrl}\n`

/**
 * `npm run emulator -- seed`: makes a service of an emulator that runs, or takes one that is there, and fills it from files
 * of SQL and databases. Returns what to print.
 */
export async function seed(args: string[]): Promise<string> {
  const { values, positionals: sources } = parse(args)
  if (sources.length === 0) throw new Error(`expected files of SQL, or a postgresql:// address; ${seedHelp}`)
  if (values.name !== undefined && values.service !== undefined) {
    throw new Error(
      '--name, --service: expected only one of them: the name of a new service, or one that is there',
    )
  }
  const services = connect({ baseUrl: `${addressIn(values)}/public/api/v1`, keys: keysIn(values.keys) })
  if (values.service === undefined) {
    const made = await services.createService({ ...(values.name && { name: values.name }), seed: sources })
    return renderFilled(made, sources)
  }
  const found = await services.find(values.service)
  for (const source of sources) await fill(found, source)
  await found.takeSnapshot()
  return renderFilled(found, sources)
}
