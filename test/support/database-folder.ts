import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder that any user can enter, since PostgreSQL may run as another. */
export async function makeRoot(): Promise<string> {
  const root = await mkdtemp(path.join(await chooseParent(), 'clusters-test-'))
  await chmod(root, 0o755)
  return root
}

/**
 * In memory where there is room. These tests delete files by the thousand, and ext4 makes new files five times
 * as slowly for half a minute after that (recently_deleted() in fs/ext4/ialloc.c).
 */
async function chooseParent(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > 2 ** 31 ? '/dev/shm' : tmpdir()
}
