/**
 * The lock modes of tables that can block other sessions, from the weakest to the strongest (PostgreSQL documentation, 13.3.1).
 */
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

/** Reading takes ACCESS SHARE, writing ROW EXCLUSIVE. */
export const blockable = ['reads', 'writes'] as const

export type Blocked = (typeof blockable)[number]

/** Whether a mode conflicts with reads and writes (PostgreSQL documentation, table 13.2). */
const conflicts: Record<LockMode, { reads: boolean; writes: boolean }> = {
  'ROW SHARE': { reads: false, writes: false },
  'ROW EXCLUSIVE': { reads: false, writes: false },
  'SHARE UPDATE EXCLUSIVE': { reads: false, writes: false },
  SHARE: { reads: false, writes: true },
  'SHARE ROW EXCLUSIVE': { reads: false, writes: true },
  EXCLUSIVE: { reads: false, writes: true },
  'ACCESS EXCLUSIVE': { reads: true, writes: true },
}

export function blockedBy(mode: LockMode): Blocked[] {
  const { reads, writes } = conflicts[mode]
  return [...(reads ? (['reads'] as const) : []), ...(writes ? (['writes'] as const) : [])]
}

const byStrength: readonly string[] = lockModes

export const isStronger = (one: string, other: string) => byStrength.indexOf(one) > byStrength.indexOf(other)

/**
 * Converts a mode of `pg_locks`, such as `ShareRowExclusiveLock`, to the words of the documentation. Undefined for ACCESS SHARE.
 */
export function parseLockMode(text: string): LockMode | undefined {
  const words = text
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
  return lockModes.find(mode => mode === words)
}
