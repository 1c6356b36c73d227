/** Tests the hashes of sources. */
import { beforeEach, expect, it } from 'vitest'
import { hashSources } from '../../tools/build/source-hashes.ts'
import { useWorkspace } from '../support/workspace.ts'

const { path: root, write, empty } = useWorkspace()
beforeEach(empty)

function hashOf(source: string): Record<string, string> {
  write({ 'src/base/semaphore.ts': source, 'src/types.d.ts': 'declare const nothing: number\n' })
  return hashSources(root)
}

it('changes with the code of a source, not with its types', () => {
  const before = hashOf('export const limit: number = 1\n')
  expect(Object.keys(before)).toEqual(['base/semaphore.ts'])
  expect(hashOf('export const limit: 1 | 2 = 1\n')).toEqual(before)
  expect(hashOf('export const limit: number = 2\n')).not.toEqual(before)
})

it('changes with a file of data', () => {
  const before = hashOf('export {}\n')
  write({ 'src/words.yml': 'a: 1\n' })
  const first = hashSources(root)
  expect(Object.keys(first)).toEqual([...Object.keys(before), 'words.yml'])
  write({ 'src/words.yml': 'a: 2\n' })
  expect(hashSources(root)).not.toEqual(first)
})
