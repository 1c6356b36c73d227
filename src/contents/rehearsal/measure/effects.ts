/** The table of effects: one row for each kind of data change or unfinished object. */
import { renderCount } from '#base/bytes'
import { keysOf } from '#base/table'
import type { Effect } from '../result/stored.ts'
import { measureTables } from './catalog.ts'
import {
  type Comparison,
  type Finding,
  findDeletedRows,
  findDroppedColumns,
  findDroppedParts,
  findDroppedTables,
  findEmptiedTables,
  findLargeObjects,
  findNarrowedColumns,
  findRetention,
} from './find-losses.ts'
import { findConstraints, findIndexes } from './find-unfinished.ts'

interface EffectRow {
  /** Whether the effect loses data. A loss may need an approval. */
  losesData: boolean
  find(comparison: Comparison): Finding[] | Promise<Finding[]>
  /** One line: `column orders.note dropped, about 1,204,000 values`. */
  describe(finding: Finding): string
}

/** `about 1,204,000 values`, `1 row`. */
function amount({ count, isEstimate }: Finding, noun: string): string {
  if (count === undefined) return `an unknown number of ${noun}s`
  return `${isEstimate ? 'about ' : ''}${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** In the order of a report. */
const effects = {
  'table dropped': {
    losesData: true,
    find: comparison => [...findDroppedTables(comparison), ...findDroppedParts(comparison)],
    describe: finding => `${finding.detail} dropped, ${amount(finding, 'row')}`,
  },
  'column dropped': {
    losesData: true,
    find: findDroppedColumns,
    describe: finding => `column ${finding.object} dropped, ${amount(finding, 'value')}`,
  },
  'type narrowed': {
    losesData: true,
    find: findNarrowedColumns,
    describe: finding => `column ${finding.object} converted ${finding.detail}, ${amount(finding, 'value')}`,
  },
  'table emptied': {
    losesData: true,
    find: findEmptiedTables,
    describe: finding => `${finding.object} emptied, ${amount(finding, 'row')}`,
  },
  'rows deleted': {
    losesData: true,
    find: findDeletedRows,
    describe: finding => `${amount(finding, 'row')} deleted from ${finding.object}`,
  },
  'large objects deleted': {
    losesData: true,
    find: findLargeObjects,
    describe: finding => `${amount(finding, 'large object')} deleted`,
  },
  'retention added': {
    losesData: true,
    find: findRetention,
    describe: finding =>
      `a policy deletes chunks of ${finding.object} that are older than ${finding.detail}, now ${amount(finding, 'row')}`,
  },
  'constraint not valid': {
    losesData: false,
    find: findConstraints,
    describe: finding =>
      `constraint ${finding.object} is left NOT VALID, ${amount(finding, 'row')} of ${finding.detail} break it`,
  },
  'index invalid': {
    losesData: false,
    find: findIndexes,
    describe: ({ object, detail }) =>
      `index ${object} of ${detail} is left invalid, and slows writes down without serving a query`,
  },
} satisfies Record<string, EffectRow>

export type EffectKind = keyof typeof effects

export const effectKinds = keysOf(effects)

/** The stored form of a finding. A release that does not know the kind shows the message. */
function effectOf(kind: EffectKind, finding: Finding): Effect {
  const { object, count, isEstimate, isHarmless = false } = finding
  const { losesData, describe } = effects[kind]
  return {
    ...{ kind, object, message: describe(finding), destructive: losesData && !isHarmless },
    ...(count !== undefined && { count }),
    ...(isEstimate && { isEstimate }),
  }
}

/** Compares a database before and after a migration: finds data changes and unfinished objects. */
export async function findEffects(given: Omit<Comparison, 'extents'>): Promise<Effect[]> {
  const comparison: Comparison = { ...given, extents: measureTables(given.before) }
  const found: Effect[] = []
  for (const kind of effectKinds)
    for (const finding of await effects[kind].find(comparison)) found.push(effectOf(kind, finding))
  return found
}
