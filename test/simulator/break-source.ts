import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { breaks } from './breaks.ts'

const root = pathToFileURL(resolve(import.meta.dirname, '../..')).href
/** Modules of which each broken variant has its own. */
const areas = [`${root}/src/`, `${root}/test/simulator/`]
const mark = '?broken='

/** The name of a break, or its text, is not right. */
export class UnknownBreakError extends Error {
  override name = 'UnknownBreakError'
}

/** The name of the break that a module is a variant by. */
function breakOf(url: string | undefined): string | undefined {
  const [, name] = url?.split(mark) ?? []
  return name === undefined ? undefined : decodeURIComponent(name)
}

function editText(url: string, text: string): string {
  const edits = breaks[breakOf(url) ?? '']?.edits ?? []
  return edits
    .filter(({ file }) => url.startsWith(`${root}/${file}?`))
    .reduce((source, { file, from, to }) => {
      if (!source.includes(from)) throw new UnknownBreakError(`${file} does not hold: ${from}`)
      return source.replace(from, () => to)
    }, text)
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const name = breakOf(context.parentURL)
    const isOurs = areas.some(area => resolved.url.startsWith(area)) && !resolved.url.includes(mark)
    return name !== undefined && isOurs
      ? { ...resolved, url: `${resolved.url}${mark}${encodeURIComponent(name)}` }
      : resolved
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    return breakOf(url) === undefined ? loaded : { ...loaded, source: editText(url, String(loaded.source)) }
  },
})

/**
 * The simulator with a broken variant of production code: its modules are loaded once more for it, beside those of
 * other variants.
 *
 * @throws UnknownBreakError where there is no such break, or its text is not in the source
 */
export async function loadBroken(name: string): Promise<typeof import('./report.ts')> {
  if (breaks[name] === undefined)
    throw new UnknownBreakError(
      `there is no break ${JSON.stringify(name)}: ${Object.keys(breaks).join(', ')}`,
    )
  return await import(`./report.ts${mark}${encodeURIComponent(name)}`)
}
