/** Creates the certificate and the template of a folder. */
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { ifExists, writeOwned } from '../disk/files.ts'
import { ClusterError } from '../errors.ts'
import type { Programs } from '../machine/programs.ts'
import type { Binaries } from './binaries.ts'
import { createCertificate } from './certificate.ts'
import { createTemplate, type Template } from './template.ts'
import type { TemplateCache } from './template-cache.ts'

/** The base of all clusters in a folder. It must not change while they exist. */
export interface Foundation {
  template: Template
  /** PEM; clients may trust it for `verify-full`. */
  certificate: string
  keyFile: string
  certificateFile: string
  superuserPassword: string
}

/** Written once the foundation is complete. */
interface FoundationRecord {
  /** PostgreSQL's major version: another version cannot read its data folders. */
  version: string
  firstWal: string
  superuserPassword: string
}

const recordFile = (folder: string) => path.join(folder, 'foundation.json')

async function readRecord(folder: string): Promise<FoundationRecord | undefined> {
  const text = await ifExists(readFile(recordFile(folder), 'utf8'))
  return text === undefined ? undefined : JSON.parse(text)
}

async function writeRecord(folder: string, record: FoundationRecord, programs: Programs): Promise<void> {
  const file = recordFile(folder)
  await writeOwned(programs.account, `${file}.new`, `${JSON.stringify(record)}\n`)
  await rename(`${file}.new`, file)
}

/** Creates the foundation of a new folder, or reads the one of a kept folder. */
export async function openFoundation(
  folder: string,
  programs: Programs,
  binaries: Binaries,
  cache?: TemplateCache,
): Promise<Foundation> {
  const files = { keyFile: path.join(folder, 'server.key'), certificateFile: path.join(folder, 'server.crt') }
  const data = path.join(folder, 'template')
  const record = (await readRecord(folder)) ?? (await create())
  if (record.version !== binaries.version) {
    throw new ClusterError(
      `The databases in ${folder} were created by PostgreSQL ${record.version}, and this is PostgreSQL ` +
        `${binaries.version}: name the folder with the programs of ${record.version} by --postgres, or choose another folder for the databases.`,
    )
  }
  const certificate = await readFile(files.certificateFile, 'utf8')
  const { superuserPassword, firstWal } = record
  return { ...files, certificate, superuserPassword, template: { data, firstWal } }

  async function create(): Promise<FoundationRecord> {
    // A killed process may have left an unfinished copy.
    await rm(data, { recursive: true, force: true })
    const password = randomBytes(24).toString('hex')
    const { key, certificate: text } = createCertificate()
    await writeOwned(programs.account, files.keyFile, key)
    await writeOwned(programs.account, files.certificateFile, text)
    const template = await createTemplate(programs, { data, binaries, superuserPassword: password }, cache)
    const complete = { version: binaries.version, firstWal: template.firstWal, superuserPassword: password }
    await writeRecord(folder, complete, programs)
    return complete
  }
}
