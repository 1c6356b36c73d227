import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { breaks } from './breaks.ts'

const root = resolve(import.meta.dirname, '../..')

/** The name of a break, or its text, is not right. */
export class UnknownBreakError extends Error {
  override name = 'UnknownBreakError'
}

/** Lets modules that are loaded from now on be the broken variant of themselves. */
export function breakSource(name: string): void {
  const edits = breaks[name]?.edits
  if (edits === undefined)
    throw new UnknownBreakError(
      `there is no break ${JSON.stringify(name)}: ${Object.keys(breaks).join(', ')}`,
    )
  const byUrl = Map.groupBy(edits, ({ file }) => pathToFileURL(resolve(root, file)).href)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const text = (byUrl.get(url) ?? []).reduce((source, { file, from, to }) => {
        if (!source.includes(from)) throw new UnknownBreakError(`${file} does not hold: ${from}`)
        return source.replace(from, () => to)
      }, String(loaded.source))
      return byUrl.has(url) ? { ...loaded, source: text } : loaded
    },
  })
}
