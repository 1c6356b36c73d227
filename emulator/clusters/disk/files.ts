/** Creates, copies and links files for the right user. */
import { constants } from 'node:fs'
import { chown, copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../errors.ts'
import type { SystemAccount } from '../machine/system-account.ts'

/** Gives a file or folder to the account, if there is one. */
export async function giveTo(account: SystemAccount | undefined, target: string): Promise<void> {
  if (account) await chown(target, account.uid, account.gid)
}

/** Creates a folder that only its owner can enter, as PostgreSQL requires for its data, and gives it to the account. */
export async function createFolder(account: SystemAccount | undefined, folder: string): Promise<void> {
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

/**
 * Creates a file that shares the blocks of another until one of them changes. Even for a large file this takes no time
 * and no space, and the other file may be changing. Rejects if the file system does not support this.
 */
export async function cloneOne(account: SystemAccount | undefined, from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
  await giveTo(account, to)
}

/** Whether files in this folder can share their blocks. */
export async function canClone(folder: string): Promise<boolean> {
  const [from, to] = ['clone-from', 'clone-to'].map(name => path.join(folder, name)) as [string, string]
  try {
    await writeFile(from, 'x'.repeat(8192))
    return await succeeds(cloneOne(undefined, from, to))
  } finally {
    await Promise.all([from, to].map(file => rm(file, { force: true })))
  }
}

/** Links a file, or copies it if linking fails: some file systems have no links, and each limits their number. */
export async function linkOne(account: SystemAccount | undefined, from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyOne(account, from, to))
}

/** The promise's value, or undefined if its file does not exist. */
export async function ifExists<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch(error => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}

/** The function's value, or undefined if its file does not exist. */
export function ifExistsSync<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export async function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  )
}
