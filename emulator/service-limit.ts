/** However much memory there is: more at once is a mistake in a script rather than a wish. */
export const mostServices = 100

/** Bytes of memory that a database in use is reckoned with. */
const perService = 40 * 2 ** 20

/** How many services with databases there may be: half of the memory that is free now, so that the machine stays usable. */
export function serviceLimit(availableMemory = process.availableMemory()): number {
  return Math.max(1, Math.min(mostServices, Math.floor(availableMemory / 2 / perService)))
}
