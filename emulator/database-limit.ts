/** However much memory there is: more at once is a mistake in a script rather than a wish. */
export const mostDatabases = 100

/** Bytes of memory that a database in use is reckoned with. */
const perDatabase = 40 * 2 ** 20

/** How many databases there may be: what half of the free memory is enough for, so that the machine stays usable. */
export function databaseLimit(availableMemory = process.availableMemory()): number {
  return Math.max(1, Math.min(mostDatabases, Math.floor(availableMemory / 2 / perDatabase)))
}
