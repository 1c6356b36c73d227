/** Temporary folders of tests. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

export interface Workspace {
  path: string
  /** Writes files, each by its path in the folder. */
  write(files: Record<string, string | Buffer>): void
  /** Deletes all files. */
  empty(): void
}

/** A folder for the tests of a file or group, deleted after them. Any user can enter it, as PostgreSQL may be another. */
export function useWorkspace(): Workspace {
  const path = mkdtempSync(join(tmpdir(), 'workspace-'))
  chmodSync(path, 0o755)
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  afterAll(() => remove(path))
  return {
    path,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), content)
      }
    },
    empty() {
      for (const name of readdirSync(path)) remove(join(path, name))
    },
  }
}
