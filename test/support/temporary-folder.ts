/** Chooses the folder for temporary files of tests. */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * The folder for temporary files of tests: in memory if there is room. The tests delete thousands of files, and ext4
 * creates new files five times as slowly for half a minute after that (recently_deleted() in fs/ext4/ialloc.c).
 */
export function chooseTemporaryFolder(): string {
  // Set by a person who wants another file system.
  if (process.env.TMPDIR) return process.env.TMPDIR
  try {
    const memory = statfsSync('/dev/shm')
    if (memory.bavail * memory.bsize > 2 ** 31) return '/dev/shm'
  } catch {
    // Not every system has it.
  }
  return tmpdir()
}
