/** The locks of tables that somebody may have to wait for, from the weakest to the strongest (PostgreSQL documentation, 13.3.1). */
export const lockModes = [
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const

export type LockMode = (typeof lockModes)[number]

/** Who has to wait while a lock is held: reading takes ACCESS SHARE, writing ROW EXCLUSIVE. */
export const blockable = ['reads', 'writes'] as const

export type Blocked = (typeof blockable)[number]

/** The modes that a lock conflicts with, by the table in the documentation of PostgreSQL (13.3.1, table 13.2). */
const conflicts: Record<LockMode, { reads: boolean; writes: boolean }> = {
  'ROW SHARE': { reads: false, writes: false },
  'ROW EXCLUSIVE': { reads: false, writes: false },
  'SHARE UPDATE EXCLUSIVE': { reads: false, writes: false },
  SHARE: { reads: false, writes: true },
  'SHARE ROW EXCLUSIVE': { reads: false, writes: true },
  EXCLUSIVE: { reads: false, writes: true },
  'ACCESS EXCLUSIVE': { reads: true, writes: true },
}

/** What would wait for a lock, in the order in which it is said. */
export function blockedBy(mode: LockMode): Blocked[] {
  const { reads, writes } = conflicts[mode]
  return [...(reads ? (['reads'] as const) : []), ...(writes ? (['writes'] as const) : [])]
}

const byStrength: readonly string[] = lockModes

export const isStronger = (one: string, other: string) => byStrength.indexOf(one) > byStrength.indexOf(other)

/** The words of the documentation for a mode as `pg_locks` writes it: `ShareRowExclusiveLock`. Undefined for one that nobody waits for. */
export function parseLockMode(text: string): LockMode | undefined {
  const words = text
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
  return lockModes.find(mode => mode === words)
}
