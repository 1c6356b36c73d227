/**
 * Compares the API as its service publishes it with docs/openapi.json. Exits with 1 if they have come apart.
 *
 *     npm run check:drift                       asks the repository of the service's command line
 *     npm run check:drift -- openapi.yaml       reads a file
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { type Description, findDrift } from './compare.ts'

/** Intended differences, each with its reason. */
const meant = [
  // It ends the session of a person; the action has keys only (docs/api.md, "Address and keys").
  'POST /auth/logout takes refresh_token, which we do not know',
]

const published = 'https://raw.githubusercontent.com/timescale/tiger-cli/main/openapi.yaml'

async function read(file: string | undefined): Promise<Description> {
  if (file !== undefined) return parse(readFileSync(file, 'utf8')) as Description
  const answer = await fetch(published)
  if (!answer.ok) throw new Error(`${published} answers ${answer.status}`)
  return parse(await answer.text()) as Description
}

const ours = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as Description
const drift = findDrift(await read(process.argv[2]), ours).filter(line => !meant.includes(line))
process.stdout.write(drift.length === 0 ? 'the descriptions agree\n' : `${drift.join('\n')}\n`)
if (drift.length > 0) process.exitCode = 1
