/** Reads all sources for the house rules. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Sources } from './check-imports.ts'

const root = resolve(import.meta.dirname, '../..')

/** The files of the repository that fit a pattern; without those in the top-level folders that are left out. */
export function readSources(pattern: string, leftOut: string[] = []): Sources {
  const files = globSync(pattern, { cwd: root, exclude: leftOut }).sort()
  return new Map(files.map(file => [file.replaceAll(sep, '/'), readFileSync(join(root, file), 'utf8')]))
}

/** Every source that people write. */
export const everySource = '{src,emulator,tools,test}/**/*.ts'
