import { rename } from 'node:fs/promises'
import path from 'node:path'
import { copyDataFolder } from './data-folder.ts'
import type { Installation } from './installation.ts'
import { removeTree } from './tree.ts'

/**
 * A copy of the template made ahead of time, since copying its 700 files is most of the time that a new service
 * takes.
 */
export class Spare {
  readonly #installation: Installation
  readonly #folder: string
  /** Resolves when it is made; undefined while there is none. */
  #made: Promise<void> | undefined
  #isWhole = false
  #isClaimed = false
  #isClosed = false

  constructor(installation: Installation) {
    this.#installation = installation
    this.#folder = path.join(installation.folder, 'spare')
  }

  /** Begins to make one, unless there is one. */
  prepare(): void {
    if (this.#isClosed) return
    this.#made ??= this.#make()
  }

  /** Makes it the data folder `to`, once it is whole; false where there is none, or somebody else waits for it. */
  async take(to: string): Promise<boolean> {
    if (this.#made === undefined || this.#isClaimed) return false
    this.#isClaimed = true
    try {
      await this.#made
      if (this.#isWhole) await rename(this.#folder, to)
      return this.#isWhole
    } finally {
      this.#isWhole = false
      this.#isClaimed = false
      this.#made = undefined
    }
  }

  /** Makes no more; resolves when nothing is being made. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#made
  }

  /** Without a spare a service only takes longer, so failing is no problem here. */
  async #make(): Promise<void> {
    const { template, programs } = this.#installation
    try {
      // One that another process was making, in a folder that is kept.
      await removeTree(this.#folder)
      await copyDataFolder(programs.account, template.data, this.#folder)
      this.#isWhole = true
    } catch {
      this.#isWhole = false
    }
  }
}
