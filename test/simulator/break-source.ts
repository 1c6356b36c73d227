/** Loads the simulator with broken variants of production code. */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { breaks } from './breaks.ts'

const root = pathToFileURL(resolve(import.meta.dirname, '../..')).href
/** The folders whose modules each broken variant may load again. */
const areas = [`${root}/src/`, `${root}/test/simulator/`]
const start = `${root}/test/simulator/report.ts`
const mark = '?broken='

function breakOf(url: string | undefined): string | undefined {
  const [, name] = url?.split(mark) ?? []
  return name === undefined ? undefined : decodeURIComponent(name)
}

/**
 * The text of a file with the changes of a break.
 *
 * @throws Error if the text that it changes is not in the file
 */
export function editText(name: string, path: string, text: string): string {
  const edits = breaks[name]?.edits ?? []
  return edits
    .filter(({ file }) => file === path)
    .reduce((source, { file, from, to }) => {
      if (!source.includes(from)) throw new Error(`${file} does not hold: ${from}`)
      return source.replace(from, () => to)
    }, text)
}

/** The URL of a module of this project that a file imports; undefined for a package or a module of Node.js. */
const urlOf = (specifier: string, importer: string): string | undefined => {
  if (specifier.startsWith('#')) return `${root}/src/${specifier.slice(1)}.ts`
  return specifier.startsWith('.') ? new URL(specifier, importer).href : undefined
}

const imports = new Map<string, string[]>()

function importsOf(url: string): string[] {
  const known = imports.get(url)
  if (known !== undefined) return known
  const text = readFileSync(fileURLToPath(url), 'utf8')
  const early = text.matchAll(/^(?:import (?!type )|export |\}) ?.*from '([.#][^']+)'$/gm)
  const late = text.matchAll(/\bimport\('([.#][^']+)'\)/g)
  const urls = [...early, ...late].flatMap(([, path = '']) => urlOf(path, url) ?? [])
  imports.set(url, urls)
  return urls
}

const concerned = new Map<string, Set<string>>()

/** All modules that a break changes, and their direct and indirect importers. */
function concernedBy(name: string): Set<string> {
  const known = concerned.get(name)
  if (known !== undefined) return known
  const found = new Set(breaks[name]?.edits.map(({ file }) => `${root}/${file}`))
  concerned.set(name, found)
  const seen = new Set<string>()
  const visit = (url: string): boolean => {
    if (seen.has(url)) return found.has(url)
    seen.add(url)
    const isAbove = importsOf(url).map(visit).includes(true)
    if (isAbove) found.add(url)
    return isAbove || found.has(url)
  }
  visit(start)
  return found
}

/** Whether a variant needs its own copy of a module; all variants share the others. */
const isConcerned = (url: string, name: string) =>
  areas.some(area => url.startsWith(area)) && concernedBy(name).has(url)

const stripped = new Map<string, string>()

/** JavaScript of a file in a variant. Otherwise Node.js strips the types of each file again for every variant. */
function scriptOf(name: string, path: string): string {
  const isEdited = breaks[name]?.edits.some(({ file }) => file === path) === true
  const known = isEdited ? undefined : stripped.get(path)
  if (known !== undefined) return known
  const text = readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')
  const script = stripTypeScriptTypes(editText(name, path, text))
  if (!isEdited) stripped.set(path, script)
  return script
}

/** Open only while a variant loads: a hook that stays would affect later tests of the process. */
const openHooks = () =>
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL = '' } = context
      const name = breakOf(parentURL)
      // Node.js would read the package.json of each folder for each import of each variant.
      const url = name === undefined ? undefined : urlOf(specifier, parentURL)
      if (name === undefined || url === undefined) return nextResolve(specifier, context)
      return {
        url: isConcerned(url, name) ? `${url}${mark}${encodeURIComponent(name)}` : url,
        shortCircuit: true,
      }
    },
    load(url, context, nextLoad) {
      const name = breakOf(url)
      if (name === undefined) return nextLoad(url, context)
      const path = url.slice(root.length + 1, url.indexOf(mark))
      return { format: 'module', source: scriptOf(name, path), shortCircuit: true }
    },
  })

/**
 * Loads the simulator with a broken variant of production code. Reloads only the affected modules.
 *
 * @throws Error for an unknown break, or if its text is missing from the source
 */
export async function loadBroken(name: string): Promise<typeof import('./report.ts')> {
  if (breaks[name] === undefined)
    throw new Error(`there is no break ${JSON.stringify(name)}: ${Object.keys(breaks).join(', ')}`)
  const hooks = openHooks()
  try {
    return await import(`./report.ts${mark}${encodeURIComponent(name)}`)
  } finally {
    hooks.deregister()
  }
}
