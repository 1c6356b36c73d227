/** Fills the caches before the first run of the tests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { openInstallation, removeInstallation } from '../../emulator/clusters/installation/installation.ts'
import { compileCache, templateCache } from './caches.ts'
import { createRoot } from './database-folder.ts'

/** Whether the command line names files: `vitest run test/api`. */
const isPartial = process.argv.slice(2).some(word => word !== 'run' && !word.startsWith('-'))

async function createTemplate(): Promise<void> {
  const root = await createRoot()
  try {
    await removeInstallation(await openInstallation({ root }))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function compile(...program: string[]): Promise<void> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  await once(spawn(process.execPath, program, { env, stdio: 'ignore' }), 'close')
}

/**
 * Before the first run in a checkout, creates the template of databases and compiles the common modules. Otherwise a
 * dozen processes would do so at the same time.
 */
export default async function fillCaches(): Promise<void> {
  if (isPartial) return
  const jobs = [
    ...(existsSync(templateCache) ? [] : [createTemplate()]),
    ...(existsSync(compileCache) ? [] : [compile('emulator/main.ts', '--help'), compile('dist/index.js')]),
  ]
  // A failure here repeats in the tests, which report it.
  await Promise.allSettled(jobs)
}
