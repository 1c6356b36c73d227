/** Tests the search for PostgreSQL and its folders. */
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TempFolderError } from '../../../../emulator/clusters/errors.ts'
import { findNativeFolder } from '../../../../emulator/clusters/installation/binaries.ts'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { openRoot } from '../../../support/database-folder.ts'

test('a platform without PostgreSQL is named, with an instruction', () => {
  const problem = /^PostgreSQL for sunos-mips \(.*\) is not installed: run "npm ci"/
  expect(() => findNativeFolder('sunos', 'mips')).toThrow(problem)
})

test.each([
  ['that is missing', 'missing', undefined, 'No folder can be created below'],
  ['whose path is too long for a socket', 'x'.repeat(90), 0o755, 'too long for a Unix socket'],
])('a temporary folder %s is refused, and stays empty', async (_, name, mode, message) => {
  await using root = await openRoot()
  const folder = path.join(root.path, name)
  if (mode !== undefined) await mkdir(folder, { mode })
  const opening = openClusters({ root: folder })
  await expect(opening).rejects.toThrow(TempFolderError)
  await expect(opening).rejects.toThrow(message)
  if (mode !== undefined) expect(await readdir(folder)).toEqual([])
})

test.runIf(process.getuid?.() === 0)(
  'as root, a folder that the user of PostgreSQL cannot enter is refused',
  async () => {
    await using root = await openRoot()
    const folder = path.join(root.path, 'private')
    await mkdir(folder, { mode: 0o700 })
    await expect(openClusters({ root: folder })).rejects.toThrow('nobody cannot enter the folder')
    expect(await readdir(folder)).toEqual([])
  },
)
