import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SystemAccount } from './system-account.ts'
import { copyTree, removeTree } from './tree.ts'

/** Beside the data folder, and not in it: how many files it has, to tell one that lost some in a crash. */
const manifest = 'files.json'

/** Where templates are kept between runs. Making one takes initdb the best part of a second of two processors. */
export class TemplateCache {
  readonly #folder: string

  /** @param folder where they are; made when it is needed, and nothing is lost where it cannot be */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Copies the template of that key to `data`, which is not there yet; false where there is none that is whole. */
  async take(key: string, data: string, account: SystemAccount | undefined): Promise<boolean> {
    const kept = path.join(this.#folder, key)
    try {
      const files = Number(JSON.parse(await readFile(path.join(kept, manifest), 'utf8')))
      if ((await copyTree(account, path.join(kept, 'data'), data)) === files) return true
    } catch {
      // There is none, or it cannot be read.
    }
    await removeTree(data)
    return false
  }

  /** Keeps a copy of a template that nobody uses yet. Of several processes that do so at once, the first one counts. */
  async keep(key: string, data: string): Promise<void> {
    const fresh = path.join(this.#folder, `.${key}-${randomBytes(6).toString('hex')}`)
    try {
      await mkdir(fresh, { recursive: true, mode: 0o700 })
      const files = await copyTree(undefined, data, path.join(fresh, 'data'))
      await writeFile(path.join(fresh, manifest), String(files))
      await rm(path.join(this.#folder, key, manifest), { force: true })
      await rm(path.join(this.#folder, key), { recursive: true, force: true })
      await rename(fresh, path.join(this.#folder, key))
    } catch {
      // A folder that cannot be written, or another process that was quicker: the next run makes its own.
      await rm(fresh, { recursive: true, force: true }).catch(() => {})
    }
  }
}
