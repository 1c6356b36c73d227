/** Tests copies of folders. */
import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { canClone } from '../../../../emulator/clusters/disk/files.ts'
import { copyTree, removeTree } from '../../../../emulator/clusters/disk/tree.ts'
import { useWorkspace } from '../../../support/workspace.ts'
import { eventually } from '../../support/eventually.ts'

const { path: root, empty } = useWorkspace()
const [from, to] = [path.join(root, 'from'), path.join(root, 'to')]

beforeEach(async () => {
  empty()
  await mkdir(path.join(from, 'inner'), { recursive: true })
})

test.each([
  [600_000, false],
  [600_000, true],
  [5_000_000, false],
  [5_000_000, true],
])('copies folders and files, also of %i bytes (live: %j)', async (size, live) => {
  const big = Buffer.alloc(size, 'big')
  await writeFile(path.join(from, 'inner', 'big'), big)
  await writeFile(path.join(from, 'empty'), '')
  await writeFile(path.join(from, 'left-out'), 'x')
  expect(await copyTree(undefined, from, to, { live, skip: name => name === 'left-out' })).toBe(2)
  expect((await readdir(to, { recursive: true })).sort()).toEqual([
    'empty',
    'inner',
    path.join('inner', 'big'),
  ])
  expect(big.equals(await readFile(path.join(to, 'inner', 'big')))).toBe(true)
  expect((await stat(to)).mode & 0o777).toBe(0o700)
})

test('links files that never change', async () => {
  await writeFile(path.join(from, 'same'), 'x')
  await copyTree(undefined, from, to, { share: name => name === 'same' })
  const [one, two] = await Promise.all([from, to].map(folder => stat(path.join(folder, 'same'))))
  expect(one?.ino).toBe(two?.ino)
})

test('ends even if a file is truncated meanwhile', async () => {
  const file = path.join(from, 'table')
  await writeFile(file, '')
  await truncate(file, 2 ** 29)
  const copying = copyTree(undefined, from, to, { live: true })
  await eventually(async () => expect((await stat(path.join(to, 'table'))).size).toBeGreaterThan(0))
  await truncate(file, 0)
  await copying
  // Where blocks can be shared, the copy is whole in one moment.
  const { size } = await stat(path.join(to, 'table'))
  expect(size === 2 ** 29).toBe(await canClone(root))
})

test('omits files that are gone when they are copied', async () => {
  await writeFile(path.join(from, 'gone'), 'x')
  await writeFile(path.join(from, 'there'), 'x')
  const skip = (name: string) => {
    if (name === 'gone') rmSync(path.join(from, name))
    return false
  }
  expect(await copyTree(undefined, from, to, { live: true, skip })).toBe(1)
  expect(await readdir(to)).toEqual(['inner', 'there'])
})

test('lets other work run, and deletes its copy', async () => {
  for (const name of ['one', 'two', 'three']) writeFileSync(path.join(from, 'inner', name), 'x')
  // Each piece of work seems to take a second, also on a fast machine.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
  onTestFinished(() => clock.mockRestore())
  const turnsDuring = async (work: Promise<unknown>) => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await work
    isOver = true
    return turns
  }
  expect(await turnsDuring(copyTree(undefined, from, to))).toBeGreaterThan(1)
  expect(await turnsDuring(removeTree(to))).toBeGreaterThan(1)
  expect(await readdir(root)).toEqual(['from'])
  await removeTree(to)
})
