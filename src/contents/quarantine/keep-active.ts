/** Parses `keep_active`, and reports the names in it that match no object. */
import { suggestionClause } from '#base/suggest'

export const kinds = ['job', 'login', 'subscription', 'foreign-server'] as const
export type Kind = (typeof kinds)[number]

export interface KeepActive {
  /** Every object of these kinds stays active. */
  kinds: Kind[]
  names: { kind: Kind; name: string }[]
}

interface Named {
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
    const all = kinds.find(kind => entry === `${kind}s`)
    const named = kinds.find(kind => entry.startsWith(`${kind}:`))
    const name = entry.slice(entry.indexOf(':') + 1).trim()
    if (all) value.kinds.push(all)
    else if (named && name !== '') value.names.push({ kind: named, name })
    else return { expected: entry === text.trim() ? expected : `${expected} ("${entry}" is neither)` }
  }
  return { value }
}

export const isKept = (keep: KeepActive, { kind, names }: Named): boolean =>
  keep.kinds.includes(kind) || keep.names.some(one => one.kind === kind && names.includes(one.name))

export function findUnknown(keep: KeepActive, all: readonly Named[]): string[] {
  return keep.names.flatMap(({ kind, name }) => {
    const known = all.filter(one => one.kind === kind).flatMap(({ names }) => names)
    if (known.includes(name)) return []
    const question = suggestionClause(name, known)
    return [`keep_active: there is no ${kind.replace('-', ' ')} ${name}${question}`]
  })
}
