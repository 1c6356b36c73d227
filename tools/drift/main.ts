/**
 * Compares both descriptions that the vendor publishes with docs/openapi.json. Exits with 1 if one has come apart.
 *
 *     npm run check:drift                                       asks the vendor's repositories
 *     npm run check:drift -- tiger-cli.yaml Tiger-Data-Docs.yml reads the older and the newer one from files
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { type Description, findDrift, findUnintended } from './compare.ts'
import { sources } from './sources.ts'

async function read(url: string, file: string | undefined): Promise<Description> {
  if (file !== undefined) return parse(readFileSync(file, 'utf8')) as Description
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return parse(await answer.text()) as Description
}

const ours = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as Description
const files = process.argv.slice(2)
if (files.length > 0 && files.length !== sources.length)
  throw new Error(`expected ${sources.length} files: the older description and the newer one`)
const drift: string[] = []
for (const [index, { name, url, intended }] of sources.entries()) {
  const differences = findDrift(await read(url, files[index]), ours)
  drift.push(...findUnintended(differences, intended).map(line => `${name} description: ${line}`))
}
process.stdout.write(drift.length === 0 ? 'the descriptions agree\n' : `${drift.join('\n')}\n`)
if (drift.length > 0) process.exitCode = 1
