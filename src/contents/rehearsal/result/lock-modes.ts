/** The lock modes of tables, and the statements that each blocks. */
import { keysOf } from '#base/table'

/** Reading takes ACCESS SHARE, writing ROW EXCLUSIVE. */
export const blockable = ['reads', 'writes'] as const

export type Blocked = (typeof blockable)[number]

/** The modes that can block others, from the weakest to the strongest (PostgreSQL documentation, table 13.2). */
const conflicts = {
  'ROW SHARE': [],
  'ROW EXCLUSIVE': [],
  'SHARE UPDATE EXCLUSIVE': [],
  SHARE: ['writes'],
  'SHARE ROW EXCLUSIVE': ['writes'],
  EXCLUSIVE: ['writes'],
  'ACCESS EXCLUSIVE': ['reads', 'writes'],
} satisfies Record<string, Blocked[]>

export type LockMode = keyof typeof conflicts

export const blockedBy = (mode: LockMode): readonly Blocked[] => conflicts[mode]

const modesByStrength: readonly string[] = keysOf(conflicts)

export const isStronger = (mode: string, other: string) =>
  modesByStrength.indexOf(mode) > modesByStrength.indexOf(other)

/** Converts a mode of `pg_locks`, such as `ShareRowExclusiveLock`. Undefined for ACCESS SHARE. */
export function parseLockMode(text: string): LockMode | undefined {
  const words = text
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
  return keysOf(conflicts).find(mode => mode === words)
}
