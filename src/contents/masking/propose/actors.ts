/** Decides the columns of actors together, such as `created_by` and `owner`, which hold ids, logins or names of persons. */
import { quoteName } from '#postgres/sql'
import type { Catalog } from '../plan/catalog.ts'
import { holds } from './facts.ts'
import { isBound, isMasked, isUncertain, type Proposed } from './groups.ts'
import { findHeld, findHolders, type Search } from './holders.ts'
import { sampleOf } from './measure.ts'

/** Few persons create most rows, and programs some. */
const least = { masked: 0.5, kept: 0.5, characters: 1 }

const isActor = (one: Proposed) =>
  one.column.family === 'text' &&
  !isBound(one) &&
  !one.evidence.isKey &&
  holds('name:personNoun|name:audit', one.evidence)

const valuesOf = ({ table, column }: Proposed) =>
  `found(path, value) as (select '', ${quoteName(column.name)}::text from ${sampleOf(table)} where ${quoteName(column.name)} <> '')`

/** Gives each column with values of a column of persons the rule of that column. Returns these columns. */
async function joinPersons(
  search: Search,
  catalog: Catalog,
  actors: readonly Proposed[],
  proposed: readonly Proposed[],
) {
  const persons = proposed.filter(one => holds('person', one.evidence) && !isActor(one))
  const holders = findHolders(catalog, persons)
  const joined: Proposed[] = []
  for (const one of actors.filter(({ evidence }) => evidence.measured)) {
    const [found] = await findHeld(search, valuesOf(one), holders, least)
    if (found?.holder === undefined) continue
    const { table, column, decision } = found.holder
    one.decision = {
      rule: decision.rule,
      confidence: 'likely',
      reason: `values of ${table.name}.${column.name}`,
    }
    joined.push(one)
  }
  return joined
}

const isAudit = ({ evidence }: Proposed) => holds('by|name:audit', evidence)

function follow(one: Proposed, leader: Proposed | undefined): void {
  if (leader === undefined || leader === one) return
  const reason = `as ${leader.table.name}.${leader.column.name}`
  one.decision = { ...leader.decision, confidence: 'likely', reason }
}

/** Asks once: columns without values follow one with values of persons, and uncertain columns the first of them. */
export async function decideActors(
  search: Search,
  catalog: Catalog,
  proposed: readonly Proposed[],
): Promise<void> {
  const actors = proposed.filter(one => isActor(one) && (isMasked(one) || isUncertain(one)))
  const joined = await joinPersons(search, catalog, actors, proposed)
  const known = joined.find(isAudit)
  for (const one of actors) if (isAudit(one) && !one.evidence.measured) follow(one, known)
  for (const group of Map.groupBy(actors.filter(isUncertain), ({ decision }) => decision.rule).values())
    for (const one of group) follow(one, group[0])
}
