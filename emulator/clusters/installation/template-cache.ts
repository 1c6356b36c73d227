import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '../disk/files.ts'
import { copyTree, removeTree } from '../disk/tree.ts'
import type { SystemAccount } from '../machine/system-account.ts'

/** Kept beside the data folder, not in it: the number of its files, which shows if a crash lost some. */
const manifest = 'files.json'

/** Templates kept between runs. Without it, initdb takes most of a second of two processors. */
export class TemplateCache {
  readonly #folder: string

  /** @param folder where they are; made when it is needed, and nothing is lost where it cannot be */
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
      // The template does not exist, or cannot be read.
    }
    await removeTree(data)
    return false
  }

  /**
   * Keeps a copy of a template that nobody uses yet, in place of one that was found to be incomplete. Several processes
   * may do so at once: each puts a whole template there, or leaves that of another one.
   */
  async keep(key: string, data: string): Promise<void> {
    const kept = path.join(this.#folder, key)
    const [fresh, former] = [this.#newFolder(key), this.#newFolder(key)]
    try {
      await mkdir(fresh, { recursive: true, mode: 0o700 })
      const files = await copyTree(undefined, data, path.join(fresh, 'data'))
      await writeFile(path.join(fresh, manifest), String(files))
      // Moved away at once: removed file by file where it is, it would take files of the next one along.
      await unlessGone(rename(kept, former))
      await rename(fresh, kept)
    } catch {
      // A folder that cannot be written, or another process that was quicker: the next run makes its own.
    }
    for (const folder of [fresh, former]) await removeTree(folder).catch(() => {})
  }

  /** The path of a folder that nobody else uses. */
  #newFolder(key: string): string {
    return path.join(this.#folder, `.${key}-${randomBytes(6).toString('hex')}`)
  }
}
