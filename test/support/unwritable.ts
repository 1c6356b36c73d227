/**
 * Ways in which a file of the runner cannot be written: the variable's value, given a folder, and the expected message.
 * Root may write to files of any mode, and the tests may run as root: the read-only file is one of the system.
 */
export const unwritable: [string, (folder: string) => string | undefined, RegExp][] = [
  ['full', () => '/dev/full', /ENOSPC: no space left/],
  ['read-only', () => '/proc/version', /EIO|EACCES/],
  ['missing', folder => `${folder}/nowhere/file`, /Missing file|ENOENT/],
  ['a directory', folder => folder, /EISDIR/],
  ['not named', () => undefined, /the variable is not set/],
]
