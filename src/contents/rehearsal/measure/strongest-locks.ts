/** Finds the strongest lock of a session on each table. */
import { blockedBy, isStronger, type LockMode } from '../result/lock-modes.ts'
import type { HeldLock } from '../result/stored.ts'
import { type Catalog, type Relation, tableOf } from './catalog.ts'

export interface Taken {
  table: Relation
  mode: LockMode
  relations: Set<number>
}

/**
 * Every query of a table locks the table's indexes to plan with them (PostgreSQL documentation of REINDEX). Only ACCESS
 * EXCLUSIVE on an index blocks these queries.
 */
const countsFor = (relation: Relation, mode: LockMode) =>
  !/^[iI]$/.test(relation.kind) || mode === 'ACCESS EXCLUSIVE'

/** Only REFRESH writes to a materialized view. */
const blocksOf = ({ kind }: Relation, mode: LockMode) =>
  blockedBy(mode).filter(blocked => kind !== 'm' || blocked === 'reads')

/** Locks of ordinary queries are not shown. */
export const isShown = (mode: LockMode) => isStronger(mode, 'ROW EXCLUSIVE')

/** The strongest lock on each table that existed before the migration, from the locks on tables, parts and indexes. */
export function findStrongest(catalog: Catalog, locks: { relation: number; mode: LockMode }[]): Taken[] {
  const taken = new Map<number, Taken>()
  for (const { relation: id, mode } of locks) {
    const relation = catalog.relations.get(id)
    const table = tableOf(catalog, id)
    if (relation === undefined || table === undefined || !countsFor(relation, mode)) continue
    const before = taken.get(table.id)
    if (before === undefined || isStronger(mode, before.mode))
      taken.set(table.id, { table, mode, relations: new Set([id]) })
    else if (mode === before.mode) before.relations.add(id)
  }
  return [...taken.values()]
}

/** The stored form of a lock, before its duration is known. */
export function describeLock({ relations: all }: Catalog, { table, mode, relations }: Taken): HeldLock {
  const parts = [...relations].filter(
    id => all.get(id)?.isPart && !/^[iI]$/.test(all.get(id)?.kind ?? ''),
  ).length
  return { table: table.name, mode, held: 0, blocks: blocksOf(table, mode), ...(parts > 0 && { parts }) }
}
