/** Tests the cache of the database template. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { TemplateCache } from '../../../../emulator/clusters/installation/template-cache.ts'
import { useWorkspace } from '../../../support/workspace.ts'

const { path: root, write, empty } = useWorkspace()
beforeEach(() => {
  empty()
  write({ 'made/base/1': 'rows', 'made/PG_VERSION': '18' })
})

const cacheIn = (name = 'cache') => new TemplateCache(path.join(root, name))
const take = (key: string, to: string) => cacheIn().take(key, path.join(root, to), undefined)

it('returns a copy of its template, to later processes too', async () => {
  expect(await take('one', 'a')).toBe(false)
  await cacheIn().keep('one', path.join(root, 'made'))
  expect(await take('one', 'a')).toBe(true)
  await writeFile(path.join(root, 'a/base/1'), 'other rows')
  expect(await take('one', 'b')).toBe(true)
  expect(await readFile(path.join(root, 'b/base/1'), 'utf8')).toBe('rows')
  expect(await take('other', 'c')).toBe(false)
})

it('returns no template that lost a file, and replaces it', async () => {
  await cacheIn().keep('one', path.join(root, 'made'))
  await rm(path.join(root, 'cache/one/data/base/1'))
  expect(await take('one', 'a')).toBe(false)
  expect(await readdir(root)).not.toContain('a')
  await cacheIn().keep('one', path.join(root, 'made'))
  expect(await take('one', 'a')).toBe(true)
})

it('does no harm if it is not writable', async () => {
  await writeFile(path.join(root, 'file'), '')
  await cacheIn('file').keep('one', path.join(root, 'made'))
  expect(await cacheIn('file').take('one', path.join(root, 'a'), undefined)).toBe(false)
})

it('is complete after several processes filled it at once', async () => {
  for (let round = 0; round < 5; round++) {
    const keepLater = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await setImmediate()
      await cacheIn().keep('one', path.join(root, 'made'))
    }
    await Promise.all([0, 1, 2, 3].map(place => keepLater(place * 2 * round)))
    expect(await take('one', `a${round}`), `in round ${round}`).toBe(true)
  }
  expect(await readdir(path.join(root, 'cache'))).toEqual(['one'])
})
