import { dirname, join } from 'node:path/posix'
import { findImports } from '../support/find-imports.ts'
import { type KnownBreak, type Room, reasons } from './rooms.ts'

/** Sources by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>

/** An import of one file by another. */
interface Arrow {
  file: string
  line: number
  /** The file or package that is imported. */
  target: string
}

export interface Rules {
  rooms: Record<string, Room>
  known?: readonly KnownBreak[]
}

/** What breaks the rules on imports, a sentence each: of files, of the table itself, and of its known breaks. */
export function checkImports(sources: Sources, { rooms, known = [] }: Rules): string[] {
  const isKnown = ({ file, target }: Arrow) => known.some(one => one.file === file && one.imports === target)
  const arrows = [...sources].flatMap(([file, source]) => arrowsOf(file, source))
  const unknown = arrows.filter(arrow => !isKnown(arrow))
  // A forbidden import often closes circles as well, which would hide the one line that matters.
  const allowed = unknown.filter(arrow => checkArrow(arrow, rooms).length === 0)
  return [
    ...checkTable(rooms),
    ...[...sources.keys()].filter(file => roomOf(file, rooms) === undefined).map(describeHomeless),
    ...unknown.flatMap(arrow => checkArrow(arrow, rooms)),
    ...findCircles(sources, allowed),
    ...known
      .filter(({ file, imports }) => !arrows.some(arrow => arrow.file === file && arrow.target === imports))
      .map(({ file, imports }) => `${file} imports ${imports} no longer: take it out of the known breaks`),
  ]
}

/** The files of the folder that no import leads to from the entry: dead, or outside what is bundled. */
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
    const target = specifier.startsWith('.') ? join(dirname(file), specifier) : specifier
    return { file, line, target }
  })
}

/** The room that a file stands in: of two that hold it, the smaller one. A room of rooms holds its own files only. */
function roomOf(file: string, rooms: Record<string, Room>): string | undefined {
  const names = Object.keys(rooms)
  const hasRooms = (name: string) => names.some(other => other.startsWith(`${name}/`))
  const isWithin = (name: string) =>
    file.startsWith(`${name}/`) && !(hasRooms(name) && file.slice(name.length + 1).includes('/'))
  return names
    .filter(name => file === name || isWithin(name))
    .sort((one, other) => other.length - one.length)[0]
}

function checkTable(rooms: Record<string, Room>): string[] {
  const names = Object.keys(rooms)
  return names.flatMap((name, index) =>
    (rooms[name]?.rooms ?? [])
      .filter(lower => !names.slice(0, index).includes(lower))
      .map(lower => `the table lets ${name} import ${lower}, which does not stand above it`),
  )
}

function describeHomeless(file: string): string {
  return `${file} stands in no room: name its folder in test/house-rules/rooms.ts`
}

function checkArrow({ file, line, target }: Arrow, rooms: Record<string, Room>): string[] {
  const from = roomOf(file, rooms)
  const room = from === undefined ? undefined : rooms[from]
  if (from === undefined || room === undefined) return []
  const to = roomOf(target, rooms)
  const own = [from, ...room.rooms]
  // A room may name a single file of another one; whoever may use the whole may use that file too.
  const allowed = to === undefined ? mayImportPackage(room, target) : own.some(name => isPartOf(to, name))
  if (allowed) return []
  const list = [...room.rooms, ...room.packages].join(', ')
  const limit = list === '' ? 'nothing' : `only ${list}`
  const reason = Object.keys(reasons).find(name => isPartOf(target, name))
  const why = from.startsWith('src/') && reason ? `; ${reasons[reason]}` : ''
  return [`${file}:${line} imports ${target}: ${from} may import ${limit} beside its own files${why}`]
}

const isPartOf = (specifier: string, name: string) => specifier === name || specifier.startsWith(`${name}/`)

function mayImportPackage({ packages }: Room, specifier: string): boolean {
  return packages.some(
    name => isPartOf(specifier, name) || (name === 'node:*' && specifier.startsWith('node:')),
  )
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
