/** Resolves references to this repository in workflows. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { publishedName } from '../../../tools/release/published-name.ts'
import { repository } from './workflow-file.ts'

/** The name under which examples and documents call the action: that of the owner, once there is one. */
export const ourName = publishedName(readFileSync(resolve(repository, 'package.json'), 'utf8'))

/** This very repository at the running commit: GitHub's changelog of 2026-07-30, runner 2.336.0 or newer. */
export const sameCommit = '$/'

/**
 * The path in this repository that a `uses` of the examples names. Empty for the action itself; undefined for another
 * repository.
 */
export function ownPathOf(uses: string | undefined): string | undefined {
  if (uses?.startsWith(sameCommit)) return uses.slice(sameCommit.length)
  if (!uses?.startsWith(ourName)) return undefined
  return /^(?:\/([\w./-]+))?@v\d+$/.test(uses.slice(ourName.length))
    ? uses.slice(ourName.length).replace(/@.*$/, '').replace(/^\//, '')
    : undefined
}
