/** Copies and deletes folders. */
import {
  chownSync,
  closeSync,
  fchownSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../errors.ts'
import type { SystemAccount } from '../machine/system-account.ts'
import { cloneOne, copyOne, ifExists, ifExistsSync } from './files.ts'
import { TimeSlice } from './time-slice.ts'

/** How `copyTree` treats files and folders, by their relative path with forward slashes. */
export interface CopyRules {
  /** The folder may be changing: files that disappear meanwhile are omitted. */
  live?: boolean
  /** Omits a file or folder. */
  skip?: (relative: string) => boolean
  /** The file never changes, so a hard link to it is enough. */
  share?: (relative: string) => boolean
}

/**
 * Bytes. A file of this length or longer is copied piece by piece: in one piece, it would block the process
 * for too long.
 */
const large = 2 * 1024 * 1024

/** False if linking fails: some file systems have no links, and each limits their number for one file. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch {
    return false
  }
}

/** Reads a file into the buffer; returns the number of bytes. */
function readSmall(path: string, buffer: Buffer): number {
  const source = openSync(path, 'r')
  try {
    // Unlike a pipe, a file returns fewer bytes than requested only at its end.
    return readSync(source, buffer, 0, buffer.length, 0)
  } finally {
    closeSync(source)
  }
}

/** Copies a file in one piece, unless it fills the buffer: then nothing is written. Throws if the file is gone. */
function copySmall(
  account: SystemAccount | undefined,
  from: string,
  to: string,
  buffer: Buffer,
): 'copied' | 'large' {
  const bytes = readSmall(from, buffer)
  if (bytes === buffer.length) return 'large'
  const target = openSync(to, 'w', 0o600)
  try {
    if (account) fchownSync(target, account.uid, account.gid)
    if (bytes > 0) writeSync(target, buffer, 0, bytes)
  } finally {
    closeSync(target)
  }
  return 'copied'
}

/**
 * Copies a file up to its end at the time of the last read. Node's copyFile never returns if a file is truncated
 * meanwhile, as PostgreSQL does to the table files that it drops: libuv continues until it has copied the original size
 * (uv__fs_copyfile in unix/fs.c).
 */
async function copyChanging(account: SystemAccount | undefined, from: string, to: string): Promise<void> {
  const buffer = Buffer.allocUnsafe(256 * 1024)
  await using source = await open(from)
  await using target = await open(to, 'w', 0o600)
  if (account) await target.chown(account.uid, account.gid)
  for (let bytesRead = buffer.length; bytesRead === buffer.length; ) {
    bytesRead = (await source.read(buffer)).bytesRead
    await target.write(buffer, 0, bytesRead)
  }
}

/** Copies a folder; returns the number of files in the copy. */
export async function copyTree(
  account: SystemAccount | undefined,
  from: string,
  to: string,
  { live = false, skip = () => false, share = () => false }: CopyRules = {},
): Promise<number> {
  const slice = new TimeSlice()
  const buffer = Buffer.allocUnsafe(large)
  let files = 0
  /** False once the file system has refused to share blocks. */
  let canClone = true
  await copyFolder('')
  return files

  async function copyFolder(relative: string): Promise<void> {
    const target = path.join(to, relative)
    mkdirSync(target, { mode: 0o700 })
    if (account) chownSync(target, account.uid, account.gid)
    const entries = ifExistsSync(() => readdirSync(path.join(from, relative), { withFileTypes: true }))
    for (const entry of entries ?? []) {
      const name = relative ? `${relative}/${entry.name}` : entry.name
      if (skip(name)) continue
      if (slice.isOver) await slice.next()
      if (entry.isDirectory()) await copyFolder(name)
      else if (entry.isFile() && (await copyFile(name))) files++
    }
  }

  /** False if the file is gone. */
  async function copyFile(name: string): Promise<boolean> {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`]
    if (share(name) && link(source, target)) return true
    const copied = ifExistsSync(() => copySmall(account, source, target, buffer))
    if (copied !== 'large') return copied !== undefined
    return (await ifExists(copyLarge(source, target).then(() => true))) ?? false
  }

  async function copyLarge(source: string, target: string): Promise<void> {
    if (!live) return copyOne(account, source, target)
    if (canClone) {
      try {
        return await cloneOne(account, source, target)
      } catch (error) {
        if (errorCode(error) === 'ENOENT') throw error
        canClone = false
      }
    }
    await copyChanging(account, source, target)
  }
}

/** Deletes a folder and its contents, if it exists. */
export async function removeTree(folder: string): Promise<void> {
  const slice = new TimeSlice()
  try {
    await removeFolder(folder)
  } catch {
    // It does not exist, or contains a file that another process is writing or, on Windows, has open.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async function removeFolder(path: string): Promise<void> {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (slice.isOver) await slice.next()
      if (entry.isDirectory()) await removeFolder(`${path}/${entry.name}`)
      else unlinkSync(`${path}/${entry.name}`)
    }
    rmdirSync(path)
  }
}
