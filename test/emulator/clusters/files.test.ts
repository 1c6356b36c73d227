import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyTree } from '../../../emulator/clusters/files.ts'
import { makeRoot } from '../../support/database-folder.ts'
import { eventually } from './support.ts'

let root: string
let from: string
let to: string

beforeEach(async () => {
  root = await makeRoot()
  from = path.join(root, 'from')
  to = path.join(root, 'to')
  await mkdir(path.join(from, 'inner'), { recursive: true })
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

test.each([false, true])('copies folders and files, of any size (live: %j)', async live => {
  const big = Buffer.alloc(600_000, 'big')
  await writeFile(path.join(from, 'inner', 'big'), big)
  await writeFile(path.join(from, 'empty'), '')
  await writeFile(path.join(from, 'left-out'), 'x')
  await copyTree(undefined, from, to, { live, skip: name => name === 'left-out' })
  expect((await readdir(to, { recursive: true })).sort()).toEqual([
    'empty',
    'inner',
    path.join('inner', 'big'),
  ])
  expect(await readFile(path.join(to, 'inner', 'big'))).toEqual(big)
  expect((await stat(to)).mode & 0o777).toBe(0o700)
})

test('links what never changes', async () => {
  await writeFile(path.join(from, 'same'), 'x')
  await copyTree(undefined, from, to, { share: name => name === 'same' })
  const [one, two] = await Promise.all([from, to].map(folder => stat(path.join(folder, 'same'))))
  expect(one?.ino).toBe(two?.ino)
})

test('ends also when a file is truncated under it', async () => {
  const file = path.join(from, 'table')
  await writeFile(file, '')
  await truncate(file, 2 ** 29)
  const copying = copyTree(undefined, from, to, { live: true })
  await eventually(async () => expect((await stat(path.join(to, 'table'))).size).toBeGreaterThan(0))
  await truncate(file, 0)
  await copying
  expect((await stat(path.join(to, 'table'))).size).toBeLessThan(2 ** 29)
})
