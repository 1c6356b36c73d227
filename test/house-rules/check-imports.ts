/** Checks every import against the layers and the packages, and finds circles. */
import { dirname, join } from 'node:path/posix'
import { findImports } from '../support/find-imports.ts'
import { entries, type KnownBreak, parts } from './layers.ts'
import { packages, pure } from './packages.ts'

/** Sources by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>

/** An import of one file by another. */
interface Arrow {
  file: string
  line: number
  /** The text of the import. */
  specifier: string
  /** The file or package that is imported. */
  target: string
}

/** The imports that break the rules, and the known breaks that no longer do, a sentence each. */
export function checkImports(sources: Sources, known: readonly KnownBreak[] = []): string[] {
  const isKnown = ({ file, target }: Arrow) => known.some(one => one.file === file && one.imports === target)
  const arrows = [...sources].flatMap(([file, source]) => arrowsOf(file, source))
  const unknown = arrows.filter(arrow => !isKnown(arrow))
  // A forbidden import often closes circles as well, which would hide the one line that matters.
  const allowed = unknown.filter(arrow => checkArrow(arrow) === undefined)
  return [
    ...[...sources.keys()].filter(file => layerOf(file) === undefined).map(describeHomeless),
    ...unknown.flatMap(arrow => checkArrow(arrow) ?? []),
    ...findCircles(sources, allowed),
    ...known
      .filter(({ file, imports }) => !arrows.some(arrow => arrow.file === file && arrow.target === imports))
      .map(({ file, imports }) => `${file} imports ${imports} no longer: take it out of the known breaks`),
  ]
}

/** The files of the folder that no import reaches from the entry: unused, or not bundled. */
export function findUnreached(sources: Sources, entry: string, folder: string): string[] {
  const reached = new Set<string>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    open.push(...arrowsOf(file, sources.get(file) ?? '').map(({ target }) => target))
  }
  return [...sources.keys()]
    .filter(file => file.startsWith(`${folder}/`) && !file.endsWith('.d.ts') && !reached.has(file))
    .map(file => `${file} is not reached from ${entry}: nothing in ${folder} may stay out of the bundle`)
}

const unreadable = 'a module computed at run time'

function arrowsOf(file: string, source: string): Arrow[] {
  return findImports(source).map(({ specifier = unreadable, line }) => {
    return { file, line, specifier, target: resolveImport(file, specifier) }
  })
}

/** The file or package that a specifier names. */
function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}.ts`
  return specifier.startsWith('.') ? join(dirname(file), specifier) : specifier
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

interface Place {
  name: string
  part: (typeof parts)[number]
  line: number
}

const places = parts.flatMap(part =>
  part.layers.flatMap((names, line) => names.map((name): Place => ({ name, part, line }))),
)

/** The layer of a file: the smallest one around it. A layer with layers inside it holds its own files only. */
export function layerOf(file: string): Place | undefined {
  const place = places
    .filter(({ name }) => isWithin(file, name))
    .sort((one, other) => other.name.length - one.name.length)[0]
  const hasLayers = places.some(({ name }) => name.startsWith(`${place?.name}/`))
  const isDeeper = place !== undefined && file.slice(place.name.length + 1).includes('/')
  return hasLayers && isDeeper ? undefined : place
}

function describeHomeless(file: string): string {
  return `${file} stands in no layer: name its folder in test/house-rules/layers.ts`
}

/** The problem with an import, if it has one. */
function checkArrow({ file, line, specifier, target }: Arrow): string | undefined {
  const from = layerOf(file)
  if (from === undefined) return undefined
  const to = layerOf(target)
  const reason =
    to === undefined
      ? checkPackage(from, target)
      : (checkLayer(from, to, target) ?? checkAlias(file, specifier, target))
  return reason && `${file}:${line} imports ${target}: ${reason}`
}

function checkLayer(from: Place, to: Place, target: string): string | undefined {
  const isBelow =
    from.part === to.part
      ? from.name === to.name || to.line < from.line
      : from.part.on.some(name => isWithin(target, name)) && !entries.includes(target)
  return isBelow ? undefined : `${to.name} is no layer below ${from.name}`
}

/** The imports of package.json name the rooms of src: `#base/deadline` is readable from every folder. */
function checkAlias(file: string, specifier: string, target: string): string | undefined {
  const [top, room, inside] = target.split('/')
  const isFar = !isWithin(file, `${top}/${room}`) || specifier.startsWith('../../')
  if (top !== 'src' || inside === undefined || !specifier.startsWith('../') || !isFar) return undefined
  return `write #${target.slice('src/'.length, -'.ts'.length)}`
}

function checkPackage({ name }: Place, target: string): string | undefined {
  const isPure = pure.some(folder => isWithin(name, folder))
  const rows = Object.entries(packages).filter(
    ([row]) => isWithin(target, row) || (row === 'node:*' && target.startsWith('node:') && !isPure),
  )
  const layers = rows.flatMap(([, some]) => some)
  if (layers.some(layer => isWithin(name, layer))) return undefined
  return layers.length > 0 ? `only ${layers.join(', ')} may` : 'no layer may'
}

/** Files that import each other in a circle, by their values or their types. */
function findCircles(sources: Sources, arrows: readonly Arrow[]): string[] {
  const targets = Map.groupBy(arrows, ({ file }) => file)
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { target } of targets.get(file) ?? []) if (sources.has(target)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return circles.map(circle => `${circle}: a circle; move what both need into a file of its own`)
}
