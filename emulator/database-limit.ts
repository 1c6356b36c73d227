/** Limits the number of databases by the free memory of the machine. */

/** The limit for any amount of memory: a higher number is likely a mistake in a script. */
export const mostDatabases = 100

/** Estimated memory of a database in use, in bytes. */
const perDatabase = 40 * 2 ** 20

/** The number of databases that fit half of the free memory, so that the machine stays usable. */
export function databaseLimit(availableMemory = process.availableMemory()): number {
  return Math.max(1, Math.min(mostDatabases, Math.floor(availableMemory / 2 / perDatabase)))
}
