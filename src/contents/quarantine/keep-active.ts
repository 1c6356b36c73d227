/** Parses `keep_active`, and reports the names in it that match no object. */
import { suggestionClause } from '#base/suggest'

export const kinds = ['job', 'login', 'subscription', 'foreign-server'] as const
export type Kind = (typeof kinds)[number]

export interface KeepActive {
  /** Every object of these kinds stays active. */
  kinds: Kind[]
  names: { kind: Kind; name: string }[]
}

interface NamedObject {
  kind: Kind
  names: string[]
}

export const keepNothing: KeepActive = { kinds: [], names: [] }

const expected = `a list of ${kinds.map(kind => `${kind}s`).join(', ')}, or names like job:refresh_daily or login:app`

/** Parses kinds and names, separated by commas or lines. Returns the expected syntax for an invalid text. */
export function parseKeepActive(text: string): { value: KeepActive } | { expected: string } {
  const value: KeepActive = { kinds: [], names: [] }
  for (const entry of text.split(/[,\n]/).map(part => part.trim())) {
    if (entry === '') continue
    const wholeKind = kinds.find(kind => entry === `${kind}s`)
    const namedKind = kinds.find(kind => entry.startsWith(`${kind}:`))
    const name = entry.slice(entry.indexOf(':') + 1).trim()
    if (wholeKind) value.kinds.push(wholeKind)
    else if (namedKind && name !== '') value.names.push({ kind: namedKind, name })
    else return { expected: entry === text.trim() ? expected : `${expected} ("${entry}" is neither)` }
  }
  return { value }
}

export const isKept = (keep: KeepActive, { kind, names }: NamedObject): boolean =>
  keep.kinds.includes(kind) || keep.names.some(kept => kept.kind === kind && names.includes(kept.name))

/** A hint for each name that no object has. */
export function findUnknownNames(keep: KeepActive, objects: readonly NamedObject[]): string[] {
  return keep.names.flatMap(({ kind, name }) => {
    const known = objects.filter(object => object.kind === kind).flatMap(({ names }) => names)
    if (known.includes(name)) return []
    return [`keep_active: there is no ${kind.replace('-', ' ')} ${name}${suggestionClause(name, known)}`]
  })
}
