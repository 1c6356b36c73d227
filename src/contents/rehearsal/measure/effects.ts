/** The table of effects: everything that a migration can do to data or leave unfinished, one row for each kind. */
import { renderCount } from '#base/bytes'
import { keysOf } from '#base/table'
import type { Session } from '#postgres/session'
import type { Effect } from '../result/stored.ts'
import { type Catalog, measureTables } from './catalog.ts'
import type { Comparison, Finding } from './comparison.ts'
import {
  findDeletedRows,
  findDroppedColumns,
  findDroppedParts,
  findDroppedTables,
  findEmptiedTables,
  findNarrowedColumns,
} from './find-losses.ts'
import { findConstraints, findIndexes } from './find-unfinished.ts'
import type { Recorder } from './recorder.ts'

interface EffectRow {
  /** Whether data is lost, which may need an approval. */
  losesData: boolean
  find(comparison: Comparison): Finding[] | Promise<Finding[]>
  /** One line: `column orders.note dropped, about 1,204,000 values`. */
  describe(finding: Finding): string
}

const about = ({ count }: Finding, noun: string) =>
  count === undefined ? `an unknown number of ${noun}` : `about ${renderCount(count)} ${noun}`

const counted = (count: number | undefined) =>
  count === undefined ? 'an unknown number of rows' : `${renderCount(count)} ${count === 1 ? 'row' : 'rows'}`

/** In the order in which a report shows them. */
const effects = {
  'table dropped': {
    losesData: true,
    find: comparison => [...findDroppedTables(comparison), ...findDroppedParts(comparison)],
    describe: finding => `${finding.detail} dropped, ${about(finding, 'rows')}`,
  },
  'column dropped': {
    losesData: true,
    find: findDroppedColumns,
    describe: finding => `column ${finding.object} dropped, ${about(finding, 'values')}`,
  },
  'type narrowed': {
    losesData: true,
    find: findNarrowedColumns,
    describe: finding => `column ${finding.object} narrowed ${finding.detail}, ${about(finding, 'values')}`,
  },
  'table emptied': {
    losesData: true,
    find: findEmptiedTables,
    describe: finding => `${finding.object} emptied, ${about(finding, 'rows')}`,
  },
  'rows deleted': {
    losesData: true,
    find: findDeletedRows,
    describe: ({ object, count }) => `${counted(count)} deleted from ${object}`,
  },
  'constraint not valid': {
    losesData: false,
    find: findConstraints,
    describe({ object, detail, count }) {
      const broken =
        count === undefined
          ? 'how many rows break it is not known'
          : `${counted(count)} of ${detail} break it`
      return `constraint ${object} is left NOT VALID, ${broken}`
    },
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

/** The stored form of a finding. A release that does not know its kind shows the message. */
function effectOf(kind: EffectKind, finding: Finding): Effect {
  const { object, count, isEstimate, isHarmless = false } = finding
  const { losesData, describe } = effects[kind]
  return {
    ...{ kind, object, message: describe(finding), destructive: losesData && !isHarmless },
    ...(count !== undefined && { count }),
    ...(isEstimate && { isEstimate }),
  }
}

/** Compares a database before and after a migration: the changes to data, and the objects left unfinished. */
export async function findEffects(
  session: Session,
  given: { before: Catalog; after: Catalog; recorder: Recorder },
): Promise<Effect[]> {
  const comparison: Comparison = { session, ...given, extents: measureTables(given.before) }
  const found: Effect[] = []
  for (const kind of effectKinds)
    for (const finding of await effects[kind].find(comparison)) found.push(effectOf(kind, finding))
  return found
}
