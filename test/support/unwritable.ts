/**
 * Ways in which a file of the runner cannot be written: the variable's value, given a folder, and the expected message.
 * The tests may run as root, whom no mode keeps from writing: a file of the system does.
 */
export const unwritable: [string, (folder: string) => string | undefined, RegExp][] = [
  ['full', () => '/dev/full', /ENOSPC: no space left/],
  ['read-only', () => '/proc/version', /EIO|EACCES/],
  ['missing', folder => `${folder}/nowhere/file`, /Missing file|ENOENT/],
  ['a directory', folder => folder, /EISDIR/],
  ['not named', () => undefined, /the variable is not set/],
]
