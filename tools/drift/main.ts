/**
 * Compares both descriptions that the vendor publishes with docs/openapi.json. Exits with 1 if one differs, and with 2
 * if one is unreadable.
 * - `npm run check:drift`: reads them from the vendor's repositories.
 * - `npm run check:drift -- tiger-cli.yaml Tiger-Data-Docs.yml`: reads the older and the newer one from files.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Description, findDrift, findUnintended } from './compare.ts'
import { readDescription, sources } from './sources.ts'

const contract = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as Description

async function compare(files: string[]): Promise<string[]> {
  if (files.length > 0 && files.length !== sources.length)
    throw new Error(`expected ${sources.length} files: the older description and the newer one`)
  const drift: string[] = []
  for (const [index, { name, url, intended }] of sources.entries()) {
    const differences = findDrift(await readDescription(url, files[index]), contract)
    drift.push(...findUnintended(differences, intended).map(line => `${name} description: ${line}`))
  }
  return drift
}

try {
  const drift = await compare(process.argv.slice(2))
  process.stdout.write(drift.length === 0 ? 'the descriptions agree\n' : `${drift.join('\n')}\n`)
  if (drift.length > 0) process.exitCode = 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 2
}
