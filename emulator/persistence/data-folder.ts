/** The folder that keeps an emulator's state. */
import { chmod, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#base/unknown-values'
import { FolderLock } from './folder-lock.ts'
import { generatePublicKey, generateSecretKey, type Keys } from './keys.ts'
import { parseSavedState, renderSavedState, type SavedState } from './saved-state.ts'

/** The folder given with `--data` is unusable. The message has the reason and an instruction. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

const stateName = 'state.json'
const keysName = 'keys.json'

async function readIfExists(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new DataFolderError(
      `--data: ${file} cannot be read (${error.code}); give a folder that this user can read and write`,
    )
  })
}

/** Replaces a file atomically: after an interruption it is either the old or the new one, complete. */
async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`
  {
    await using target = await open(fresh, 'w', 0o600)
    await target.writeFile(text)
    await target.sync()
  }
  await rename(fresh, file)
  // Windows cannot sync folders, so a rename there is not synced.
  if (process.platform === 'win32') return
  await using parent = await open(path.dirname(file))
  await parent.sync()
}

/** Raise it with each change of the folder's contents that an older emulator cannot read. */
const format = 1
/** The file that marks a folder as an emulator's own. */
const markerName = 'emulator.json'

interface Marker {
  format: number
  databases: boolean
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readMarker(folder: string): Promise<Marker | undefined> {
  const text = await readIfExists(path.join(folder, markerName))
  if (text === undefined) return undefined
  const value: unknown = parse(text)
  if (typeof value === 'object' && value && 'format' in value && 'databases' in value) {
    return { format: Number(value.format), databases: value.databases === true }
  }
  throw new DataFolderError(
    `--data ${folder}: its file ${markerName} was not written by an emulator; choose another folder`,
  )
}

async function createMarkedFolder(folder: string, marker: Marker): Promise<void> {
  try {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    // Only the emulator's user may enter a folder that the emulator created. An existing folder keeps its mode.
    if (created !== undefined) await chmod(folder, 0o700)
    if ((await readdir(folder)).length > 0) {
      throw new DataFolderError(
        `--data ${folder}: it holds files that are not the emulator's; choose an empty or a new folder`,
      )
    }
    await replaceFile(path.join(folder, markerName), `${JSON.stringify(marker)}\n`)
  } catch (error) {
    if (error instanceof DataFolderError) throw error
    throw new DataFolderError(
      `--data ${folder}: cannot be used (${messageOf(error)}); choose a folder that can be written to`,
    )
  }
}

/** Verifies that the folder belongs to an emulator, and is of the right kind. */
async function claimFolder(folder: string, databases: boolean): Promise<void> {
  const marker = await readMarker(folder)
  if (marker === undefined) return createMarkedFolder(folder, { format, databases })
  if (marker.format !== format) {
    throw new DataFolderError(
      `--data ${folder}: written by another version of the emulator (format ${marker.format}; this one writes ${format}): ` +
        'use that version, or choose another folder',
    )
  }
  if (marker.databases !== databases) {
    const kind = marker.databases
      ? 'with databases: leave out --no-databases'
      : 'with --no-databases: give it again'
    throw new DataFolderError(`--data ${folder}: created ${kind}, or choose another folder`)
  }
}

async function readState(folder: string): Promise<SavedState | undefined> {
  const file = path.join(folder, stateName)
  const text = await readIfExists(file)
  if (text === undefined) return undefined
  try {
    return parseSavedState(text)
  } catch {
    throw new DataFolderError(
      `--data: ${file} cannot be read; restore it from a copy, or choose another folder`,
    )
  }
}

function readKeys(file: string, text: string): Keys {
  const value: unknown = parse(text)
  const { publicKey, secretKey } = { ...(value as Partial<Keys> | undefined) }
  if (typeof publicKey === 'string' && typeof secretKey === 'string') return { publicKey, secretKey }
  throw new DataFolderError(
    `--data: ${file} contains no key; restore it from a copy, or delete it to generate a new key`,
  )
}

/**
 * A folder in which an emulator keeps its whole state, for the next one to continue from. It is locked while it is
 * open. A folder with other contents is refused, so that only the emulator's own files can ever be deleted.
 */
export class DataFolder {
  readonly folder: string
  /** The state of the previous emulator; undefined for the first one. */
  readonly savedState: SavedState | undefined
  readonly #lock: FolderLock

  private constructor(folder: string, savedState: SavedState | undefined, lock: FolderLock) {
    this.folder = folder
    this.savedState = savedState
    this.#lock = lock
  }

  /** Creates the folder if necessary. `databases`: whether each service has a PostgreSQL. */
  static async open(given: string, databases: boolean): Promise<DataFolder> {
    const folder = path.resolve(given)
    await claimFolder(folder, databases)
    const lock = await FolderLock.acquire(folder)
    if (lock === undefined) {
      throw new DataFolderError(
        `--data ${folder}: another emulator uses it; stop that one, or choose another folder`,
      )
    }
    try {
      return new DataFolder(folder, await readState(folder), lock)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /**
   * Reads `savedState` completely before it returns; resolves when it is safe on disk. Until then, the previous state stays.
   */
  async save(savedState: SavedState): Promise<void> {
    await replaceFile(path.join(this.folder, stateName), renderSavedState(savedState))
  }

  /** The key generated for this folder. It stays the same, because passwords of previews are derived from it. */
  async keys(): Promise<Keys> {
    const file = path.join(this.folder, keysName)
    const text = await readIfExists(file)
    if (text !== undefined) return readKeys(file, text)
    const keys = { publicKey: generatePublicKey(), secretKey: generateSecretKey() }
    await replaceFile(file, `${JSON.stringify(keys)}\n`)
    return keys
  }

  /** Unlocks the folder for other emulators. */
  async close(): Promise<void> {
    await this.#lock.release()
  }
}
