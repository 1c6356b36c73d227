/** Creates folders for databases of tests. */
import { chmod, mkdtemp, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder that any user can enter, since PostgreSQL may run as another user. */
export async function createRoot(parent = tmpdir()): Promise<string> {
  const root = await mkdtemp(path.join(parent, 'clusters-test-'))
  await chmod(root, 0o755)
  return root
}

/** The same, deleted at the end of its block. */
export async function openRoot(parent = tmpdir()) {
  const root = await mkdtempDisposable(path.join(parent, 'clusters-test-'))
  await chmod(root.path, 0o755)
  return root
}
