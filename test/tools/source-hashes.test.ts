/** Tests the hashes of sources. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { hashSources } from '../../tools/build/source-hashes.ts'

const root = mkdtempSync(join(tmpdir(), 'sources-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

function hashOf(source: string): Record<string, string> {
  mkdirSync(join(root, 'src/base'), { recursive: true })
  writeFileSync(join(root, 'src/base/semaphore.ts'), source)
  writeFileSync(join(root, 'src/types.d.ts'), 'declare const nothing: number\n')
  return hashSources(root)
}

it('changes with the code of a source, not with its types', () => {
  const before = hashOf('export const limit: number = 1\n')
  expect(Object.keys(before)).toEqual(['base/semaphore.ts'])
  expect(hashOf('export const limit: 1 | 2 = 1\n')).toEqual(before)
  expect(hashOf('export const limit: number = 2\n')).not.toEqual(before)
})

it('changes with a file of data', () => {
  const data = join(root, 'src/words.yml')
  const before = hashOf('export {}\n')
  writeFileSync(data, 'a: 1\n')
  const first = hashSources(root)
  expect(Object.keys(first)).toEqual([...Object.keys(before), 'words.yml'])
  writeFileSync(data, 'a: 2\n')
  expect(hashSources(root)).not.toEqual(first)
})
