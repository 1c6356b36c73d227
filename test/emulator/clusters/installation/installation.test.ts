/** Tests the search for PostgreSQL and its folders. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TempFolderError } from '../../../../emulator/clusters/errors.ts'
import { findNativeFolder } from '../../../../emulator/clusters/installation/binaries.ts'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { createRoot } from '../../../support/database-folder.ts'

let root: string

beforeEach(async () => {
  root = await createRoot()
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

test('a platform without PostgreSQL is named, with an instruction', () => {
  expect(() => findNativeFolder('sunos', 'mips')).toThrow('is not installed')
  expect(() => findNativeFolder('sunos', 'mips')).toThrow('PostgreSQL for sunos-mips')
})

test.each([
  ['that is missing', 'missing', undefined, 'No folder can be created below'],
  ['whose path is too long for a socket', 'x'.repeat(90), 0o755, 'too long for a Unix socket'],
])('a temporary folder %s is refused, and stays empty', async (_, name, mode, message) => {
  const folder = path.join(root, name)
  if (mode !== undefined) await mkdir(folder, { mode })
  const opening = openClusters({ root: folder })
  await expect(opening).rejects.toThrow(TempFolderError)
  await expect(opening).rejects.toThrow(message)
  if (mode !== undefined) expect(await readdir(folder)).toEqual([])
})

test.runIf(process.getuid?.() === 0)(
  'as root, a folder that the user of PostgreSQL cannot enter is refused',
  async () => {
    const folder = path.join(root, 'private')
    await mkdir(folder, { mode: 0o700 })
    await expect(openClusters({ root: folder })).rejects.toThrow('nobody cannot enter the folder')
    expect(await readdir(folder)).toEqual([])
  },
)
