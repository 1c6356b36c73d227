import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { openInstallation, removeInstallation } from '../../emulator/clusters/installation/installation.ts'
import { compileCache, templateCache } from './caches.ts'
import { makeRoot } from './database-folder.ts'

/** Whether the command line names files: `vitest run test/api`. */
const isPartial = process.argv.slice(2).some(word => word !== 'run' && !word.startsWith('-'))

async function makeTemplate(): Promise<void> {
  const root = await makeRoot()
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
 * Before the first run of all tests in a checkout: makes the template of databases, and compiles what most processes run.
 * Otherwise each of the first dozen processes, which start at the same time, would do it for itself.
 */
export default async function fillCaches(): Promise<void> {
  if (isPartial) return
  const jobs = [
    ...(existsSync(templateCache) ? [] : [makeTemplate()]),
    ...(existsSync(compileCache) ? [] : [compile('emulator/main.ts', '--help'), compile('dist/index.js')]),
  ]
  // What fails here fails in the tests as well, which tell what is wrong.
  await Promise.allSettled(jobs)
}
