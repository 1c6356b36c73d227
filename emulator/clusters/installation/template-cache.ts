/** Caches templates of data folders between runs. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ifExists } from '../disk/files.ts'
import { copyTree, removeTree } from '../disk/tree.ts'
import type { SystemAccount } from '../machine/system-account.ts'

/** Kept beside the data folder, not in it: the number of its files, which shows if a crash lost some. */
const manifest = 'files.json'

/** Templates kept between runs. Without it, initdb takes most of a second of two processors. */
export class TemplateCache {
  readonly #folder: string

  /** @param folder created on demand; if that fails, nothing is cached */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Copies the template of that key to `data`, which must not exist yet; false if there is no complete template. */
  async take(key: string, data: string, account: SystemAccount | undefined): Promise<boolean> {
    const kept = path.join(this.#folder, key)
    try {
      const files = Number(JSON.parse(await readFile(path.join(kept, manifest), 'utf8')))
      if ((await copyTree(account, path.join(kept, 'data'), data)) === files) return true
    } catch {
      // The template does not exist, or is unreadable.
    }
    await removeTree(data)
    return false
  }

  /**
   * Keeps a copy of an unused template, and replaces an incomplete one. Several processes may do so at once:
   * each stores a complete template, or leaves that of another one.
   */
  async keep(key: string, data: string): Promise<void> {
    const kept = path.join(this.#folder, key)
    const [fresh, former] = [this.#newFolder(key), this.#newFolder(key)]
    try {
      await mkdir(fresh, { recursive: true, mode: 0o700 })
      const files = await copyTree(undefined, data, path.join(fresh, 'data'))
      await writeFile(path.join(fresh, manifest), String(files))
      // Moved away at once: deleting it file by file in its place could delete files of the next one.
      await ifExists(rename(kept, former))
      await rename(fresh, kept)
    } catch {
      // The folder is not writable, or another process was faster: the next run creates its own.
    }
    for (const folder of [fresh, former]) await removeTree(folder).catch(() => {})
  }

  /** The path of an unused folder. */
  #newFolder(key: string): string {
    return path.join(this.#folder, `.${key}-${randomBytes(6).toString('hex')}`)
  }
}
