import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Binaries, findNativeFolder, prepareBinaries } from './binaries.ts'
import { makeCertificate } from './certificate.ts'
import { TempFolderError } from './errors.ts'
import { giveTo, writeOwned } from './files.ts'
import { Guardian } from './guardian.ts'
import { Ports } from './ports.ts'
import { Programs } from './programs.ts'
import { canReach, chooseAccount, type SystemAccount } from './system-account.ts'
import { makeTemplate, type Template } from './template.ts'

/** What all clusters of one emulator share. */
export interface Installation {
  /** Everything on disk is below it. */
  folder: string
  binaries: Binaries
  programs: Programs
  guardian: Guardian
  template: Template
  ports: Ports
  /** PEM; clients may trust it for `verify-full`. */
  certificate: string
  superuserPassword: string
}

/** The path of a socket is at most 103 bytes long on macOS, 107 on Linux (sockaddr_un). */
const longestFolder = 103 - '/c12345/.s.PGSQL.12345'.length

/** Prepares a temporary folder below `parent` from which clusters can be started. */
export async function openInstallation(parent = tmpdir()): Promise<Installation> {
  const native = findNativeFolder()
  const account = await chooseAccount()
  const guardian = new Guardian(parent)
  const folder = await makeTempFolder(parent, account, guardian)
  try {
    return await fill(folder, native, guardian, new Programs(account, guardian))
  } catch (error) {
    await removeInstallation({ folder, guardian })
    throw error
  }
}

/** Removes every file. All clusters must have ended. */
export async function removeInstallation({
  folder,
  guardian,
}: Pick<Installation, 'folder' | 'guardian'>): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  await guardian.dismiss()
}

async function fill(
  folder: string,
  native: string,
  guardian: Guardian,
  programs: Programs,
): Promise<Installation> {
  const binaries = await prepareBinaries(native, programs.account, path.join(folder, 'native'))
  const superuserPassword = randomBytes(24).toString('hex')
  const { key, certificate } = makeCertificate()
  const keyFile = path.join(folder, 'server.key')
  const certificateFile = path.join(folder, 'server.crt')
  await writeOwned(programs.account, keyFile, key)
  await writeOwned(programs.account, certificateFile, certificate)
  const data = path.join(folder, 'template')
  const template = await makeTemplate(programs, {
    data,
    binaries,
    keyFile,
    certificateFile,
    superuserPassword,
  })
  return {
    folder,
    binaries,
    programs,
    guardian,
    template,
    ports: new Ports(),
    certificate,
    superuserPassword,
  }
}

async function makeTempFolder(
  parent: string,
  account: SystemAccount | undefined,
  guardian: Guardian,
): Promise<string> {
  try {
    // The guardian is told before the folder is made: it knows of it however soon this process is killed.
    const folder = path.join(path.resolve(parent), `managed-database-${randomBytes(6).toString('base64url')}`)
    guardian.own(folder)
    mkdirSync(folder, { mode: 0o700 })
    await giveTo(account, folder)
    const problem = await describeProblem(folder, account)
    if (problem === undefined) return folder
    throw new TempFolderError(`${problem}: set TMPDIR to another folder.`)
  } catch (error) {
    await guardian.dismiss()
    if (error instanceof TempFolderError) throw error
    const message = `No folder can be made below ${parent}: set TMPDIR to a folder that can be written to.`
    throw new TempFolderError(message, { cause: error })
  }
}

async function describeProblem(
  folder: string,
  account: SystemAccount | undefined,
): Promise<string | undefined> {
  if (process.platform !== 'win32' && Buffer.byteLength(folder) > longestFolder) {
    return `The path of the temporary folder ${folder} is too long for a Unix socket`
  }
  if (account && !(await canReach(account, folder))) {
    return `PostgreSQL refuses to run as root, and the user ${account.name} cannot enter the temporary folder ${folder}`
  }
  return undefined
}
