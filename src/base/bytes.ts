/** Parses and renders sizes in bytes, renders counts, and shortens long lists. */

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** The bytes of a size like `1GB` or `500 MB`, in steps of 1,024 as in PostgreSQL. Undefined for any other text. */
export function parseBytes(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?) ?([kMGT]?B)$/i.exec(text) ?? []
  const power = units.findIndex(name => name.toLowerCase() === unit?.toLowerCase())
  return count === undefined || power < 0 ? undefined : Math.round(Number(count) * 1024 ** power)
}

/** A size for readers: `18 GB`, `1.4 MB`, `0 B`. */
export function renderBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const count = bytes / 1024 ** power
  return `${count >= 9.95 || power === 0 ? Math.round(count) : count.toFixed(1)} ${units[power]}`
}

/** A count for readers: `1,204,000`. */
export const renderCount = (count: number) => count.toLocaleString('en-US')

/** `1 row`, `2 rows`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The first texts of a list, then `and 7 more`. */
export function cap(texts: readonly string[], most = 20): string[] {
  const more = texts.length - most
  return more > 0 ? [...texts.slice(0, most), `and ${more} more`] : [...texts]
}

/** The first items of a list whose sizes together are at most `room`. */
export function takeFitting<Item>(items: Item[], room: number, sizeOf: (item: Item) => number): Item[] {
  let left = room
  const end = items.findIndex(item => {
    left -= sizeOf(item)
    return left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}
