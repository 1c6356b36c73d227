import { rm } from 'node:fs/promises'
import { openInstallation, removeInstallation } from '../../emulator/clusters/installation.ts'
import { makeRoot } from './database-folder.ts'

/** Whether the command line names files: `vitest run test/api`. */
const isPartial = process.argv.slice(2).some(word => word !== 'run' && !word.startsWith('-'))

/**
 * Before a run of all tests: makes the template of databases that the first installation of a checkout keeps. Otherwise
 * each of the first dozen emulators, which start at the same time, would make one, for a second of processor each.
 */
export default async function prepareDatabases(): Promise<void> {
  if (isPartial) return
  const root = await makeRoot()
  try {
    await removeInstallation(await openInstallation({ root }))
  } catch {
    // The tests that need databases tell what is wrong.
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
