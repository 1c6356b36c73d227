import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from './files.ts'
import type { SystemAccount } from './system-account.ts'
import { copyTree, removeTree } from './tree.ts'

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
   * Keeps a copy of a template that nobody uses yet. Several processes may do so at once: whenever one looks, there is a
   * whole template or none.
   */
  async keep(key: string, data: string): Promise<void> {
    const [kept, fresh, former] = [key, this.#newName(key), this.#newName(key)].map(name =>
      path.join(this.#folder, name),
    ) as [string, string, string]
    try {
      await mkdir(fresh, { recursive: true, mode: 0o700 })
      const files = await copyTree(undefined, data, path.join(fresh, 'data'))
      await writeFile(path.join(fresh, manifest), String(files))
      // One that is there was found to be incomplete. Removed where it is, it would be mixed with the next one.
      await unlessGone(rename(kept, former))
      await rename(fresh, kept)
    } catch {
      // A folder that cannot be written, or another process that was quicker: the next run makes its own.
    }
    for (const folder of [fresh, former]) await removeTree(folder).catch(() => {})
  }

  #newName(key: string): string {
    return `.${key}-${randomBytes(6).toString('hex')}`
  }
}
