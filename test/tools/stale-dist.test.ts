/** Tests the check for a stale bundle. */
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entries } from '../../tools/build/entries.ts'
import { hashesFile, hashSources } from '../../tools/build/source-hashes.ts'
import { checkDist, DistError } from '../../tools/build/stale-dist.ts'

/** A project of two sources, and a bundle of them. */
let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'stale-dist-'))
  for (const name of ['src', 'dist']) await mkdir(join(root, name))
  for (const name of ['main', 'post'])
    await writeFile(join(root, `src/${name}.ts`), `export const a = '${name}'\n`)
  for (const file of Object.keys(entries)) await writeFile(join(root, 'dist', file), '')
  await writeFile(join(root, 'dist', hashesFile), JSON.stringify(hashSources(root)))
})
afterEach(() => rm(root, { recursive: true }))

test('a bundle of the present sources is accepted', async () => {
  await expect(checkDist(root)).resolves.toBeUndefined()
})

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['no bundle', () => rm(join(root, 'dist'), { recursive: true }), /^dist, .* is missing or incomplete: run/],
  ['no second chunk', () => rm(join(root, 'dist/run.js')), /^dist, .* is missing or incomplete: run/],
  [
    'a changed source',
    () => appendFile(join(root, 'src/main.ts'), 'export const later = 1\n'),
    /^dist is stale, src\/main.ts changed since: run "npm run build"$/,
  ],
  [
    'sources that were not there',
    () =>
      Promise.all(['a', 'b'].map(name => writeFile(join(root, `src/${name}.ts`), 'export const a = 1\n'))),
    /^dist is stale, src\/a.ts and 1 more changed since/,
  ],
  [
    'a source that is gone',
    () => rm(join(root, 'src/post.ts')),
    /^dist is stale, src\/post.ts changed since/,
  ],
])('%s is reported in one line, with an instruction', async (_, spoil, line) => {
  await spoil()
  const error = await checkDist(root).catch(failure => failure)
  expect(error).toBeInstanceOf(DistError)
  expect(error.message).toMatch(line)
})
