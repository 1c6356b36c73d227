/**
 * Writes the owner and name of this copy of the action into everything that names it:
 *
 *     npm run adopt -- acme/managed-database-action
 *
 * Run again with another name, it replaces the one of before.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readTexts, writeTexts } from '../release/tree.ts'
import { adopt, NameError } from './adopt.ts'

const root = resolve(import.meta.dirname, '../..')
const { positionals } = parseArgs({ allowPositionals: true })
try {
  const changed = adopt(
    readTexts(root),
    positionals.length === 1 ? (positionals[0] ?? '') : positionals.join(' '),
  )
  writeTexts(root, changed)
  process.stdout.write(
    changed.size === 0
      ? 'nothing to change: that name is in place already\n'
      : `changed ${[...changed.keys()].join(', ')}\nlook at the changes with git diff, and commit them\n`,
  )
} catch (error) {
  if (!(error instanceof NameError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
