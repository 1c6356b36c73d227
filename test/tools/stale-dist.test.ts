/** Tests the check for a stale bundle, and its hashes of sources. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { checkDist, entries, hashesFile, hashSources } from '../../tools/build/stale-dist.ts'
import { useWorkspace } from '../support/workspace.ts'

/** A project of two sources, and a bundle of them. */
const { path: root, write, empty } = useWorkspace()
beforeEach(() => {
  empty()
  write({ 'src/main.ts': "export const a = 'main'\n", 'src/post.ts': "export const a = 'post'\n" })
  write(Object.fromEntries(Object.keys(entries).map(file => [`dist/${file}`, ''])))
  write({ [`dist/${hashesFile}`]: JSON.stringify(hashSources(root)) })
})

test('a bundle of the present sources is accepted', async () => {
  await expect(checkDist(root)).resolves.toBeUndefined()
})

test.each<[string, () => unknown, RegExp]>([
  ['no bundle', () => rm(join(root, 'dist'), { recursive: true }), /^dist, .* is missing or incomplete: run/],
  ['no second chunk', () => rm(join(root, 'dist/run.js')), /^dist, .* is missing or incomplete: run/],
  [
    'a changed source',
    () => write({ 'src/main.ts': 'export const later = 1\n' }),
    /^dist is stale, src\/main.ts changed since: run "npm run build"$/,
  ],
  [
    'sources that were not there',
    () => write({ 'src/a.ts': 'export const a = 1\n', 'src/b.ts': 'export const a = 1\n' }),
    /^dist is stale, src\/a.ts and 1 more changed since/,
  ],
  [
    'a source that is gone',
    () => rm(join(root, 'src/post.ts')),
    /^dist is stale, src\/post.ts changed since/,
  ],
])('%s is reported in one line, with an instruction', async (_, spoil, line) => {
  await spoil()
  await expect(checkDist(root)).rejects.toThrow(line)
})

/** The hashes of a project with this source. */
function hashOf(source: string): Record<string, string> {
  empty()
  write({ 'src/base/semaphore.ts': source, 'src/types.d.ts': 'declare const nothing: number\n' })
  return hashSources(root)
}

test('a hash changes with the code of a source, not with its types', () => {
  const before = hashOf('export const limit: number = 1\n')
  expect(Object.keys(before)).toEqual(['base/semaphore.ts'])
  expect(hashOf('export const limit: 1 | 2 = 1\n')).toEqual(before)
  expect(hashOf('export const limit: number = 2\n')).not.toEqual(before)
})

test('a hash changes with a file of data', () => {
  const before = hashOf('export {}\n')
  write({ 'src/words.yml': 'a: 1\n' })
  const first = hashSources(root)
  expect(Object.keys(first)).toEqual([...Object.keys(before), 'words.yml'])
  write({ 'src/words.yml': 'a: 2\n' })
  expect(hashSources(root)).not.toEqual(first)
})
