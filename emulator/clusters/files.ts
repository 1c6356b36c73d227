import { constants } from 'node:fs'
import { chown, copyFile, link, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from './errors.ts'
import type { SystemAccount } from './system-account.ts'

/** Files copied at the same time. Node works on files in four threads: many more would only delay other work. */
const lanes = 8

/** Gives a file or folder to the account, if there is one. */
export async function giveTo(account: SystemAccount | undefined, target: string): Promise<void> {
  if (account) await chown(target, account.uid, account.gid)
}

/** Makes a folder only its owner can enter, as PostgreSQL demands of its data, and gives it to the account. */
export async function makeFolder(account: SystemAccount | undefined, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  await giveTo(account, folder)
}

/** Writes a file that only its owner can read, and gives it to the account. */
export async function writeOwned(
  account: SystemAccount | undefined,
  file: string,
  text: string,
): Promise<void> {
  await writeFile(file, text, { mode: 0o600 })
  await giveTo(account, file)
}

/** Copies one file that does not change, sharing its blocks with the original where the file system can. */
export async function copyOne(account: SystemAccount | undefined, from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await giveTo(account, to)
}

/** How `copyTree` treats files and folders, by their path relative to the whole, with forward slashes. */
export interface CopyRules {
  /** The folder may be changing: what vanishes meanwhile is left out. */
  live?: boolean
  /** Leave it out. */
  skip?: (relative: string) => boolean
  /** It never changes: a second link to the same file will do. */
  share?: (relative: string) => boolean
}

/** Copies a folder. */
export async function copyTree(
  account: SystemAccount | undefined,
  from: string,
  to: string,
  { live = false, skip = () => false, share = () => false }: CopyRules = {},
): Promise<void> {
  const files: string[] = []
  await copyFolders('')
  await Promise.all(Array.from({ length: lanes }, copyFiles))

  async function copyFolders(relative: string): Promise<void> {
    await makeFolder(account, path.join(to, relative))
    const entries = await unlessGone(readdir(path.join(from, relative), { withFileTypes: true }))
    for (const entry of entries ?? []) {
      const name = relative ? `${relative}/${entry.name}` : entry.name
      if (skip(name)) continue
      if (entry.isDirectory()) await copyFolders(name)
      else if (entry.isFile()) files.push(name)
    }
  }

  async function copyFiles(): Promise<void> {
    const copyChanging = live ? makeLiveCopier() : copyOne
    for (let name = files.pop(); name !== undefined; name = files.pop()) {
      const copy = share(name) ? linkOne : copyChanging
      await unlessGone(copy(account, path.join(from, name), path.join(to, name)))
    }
  }
}

/**
 * Makes a function that copies one file after the other, each up to wherever it ends when its end is reached.
 * Node's copyFile never returns when a file is truncated under it, as PostgreSQL does to a table that is dropped:
 * libuv goes on until it has copied the size the file had at first (uv__fs_copyfile in unix/fs.c).
 */
function makeLiveCopier(): typeof copyOne {
  const buffer = Buffer.allocUnsafe(256 * 1024)
  return async (account, from, to) => {
    await using source = await open(from)
    await using target = await open(to, 'w', 0o600)
    if (account) await target.chown(account.uid, account.gid)
    for (;;) {
      const { bytesRead } = await source.read(buffer)
      await target.write(buffer, 0, bytesRead)
      // A file, other than a pipe, gives less than asked for only at its end.
      if (bytesRead < buffer.length) return
    }
  }
}

/** Copies where no link can be made: not every file system has links, and each limits their number for one file. */
export async function linkOne(account: SystemAccount | undefined, from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyOne(account, from, to))
}

/** The promise's value, or undefined if the file it is about is not there (any more). */
export async function unlessGone<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch(error => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}
