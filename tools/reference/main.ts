/**
 * Writes the blocks of action.yml and docs/reference.md from the tables of the code, or with `--check` reports stale
 * ones. Exits with 1 if one is stale or cannot be written.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { updateReference } from './reference.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
for (const problem of updateReference(resolve(import.meta.dirname, '../..'), values)) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
