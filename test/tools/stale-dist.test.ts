/** Tests the check for a stale bundle. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { entries } from '../../tools/build/entries.ts'
import { hashesFile, hashSources } from '../../tools/build/source-hashes.ts'
import { checkDist } from '../../tools/build/stale-dist.ts'
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
