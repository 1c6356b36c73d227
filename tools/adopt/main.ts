/**
 * Writes the owner and name of this copy of the action into everything that names it:
 *
 *     npm run adopt -- acme/managed-database-action
 *
 * Run again with another name, it replaces the one of before.
 */
import { resolve } from 'node:path'
import { isFullName } from '../release/published-name.ts'
import { readTexts, writeTexts } from '../release/tree.ts'
import { adopt } from './adopt.ts'

const root = resolve(import.meta.dirname, '../..')
const name = process.argv.slice(2).join(' ')
if (isFullName(name)) {
  const changed = adopt(readTexts(root), name)
  writeTexts(root, changed)
  const paths = [...changed.keys()].join(', ')
  process.stdout.write(
    paths === ''
      ? 'nothing to change: that name is in place already\n'
      : `changed ${paths}\nlook at the changes with git diff, and commit them\n`,
  )
} else {
  process.stderr.write(
    `expected an owner and a repository, like acme/managed-database-action, not "${name}"\n`,
  )
  process.exitCode = 2
}
