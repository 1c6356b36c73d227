/** The table of effects: one row for each kind of data change or unfinished object. */
import { renderCount } from '#base/bytes'
import { keysOf } from '#base/table'
import type { Effect } from '../result/stored.ts'
import {
  type Comparison,
  columnsThat,
  type Finding,
  findDeletedRows,
  findDroppedParts,
  findDroppedTables,
  findEmptiedTables,
  findLargeObjects,
  findNarrowedColumns,
  findRetention,
} from './find-losses.ts'
import { findUnfinished } from './find-unfinished.ts'

type EffectRow = {
  /** Describes the change in docs/migrations.md. */
  change: string
  find(comparison: Comparison): Finding[] | Promise<Finding[]>
  /** One line: `column orders.note dropped, about 1,204,000 values`. */
  describe(finding: Finding): string
} & (
  | {
      /** Whether the change loses data, which may need an approval: `yes`, or a condition. */
      loss: 'yes' | `if ${string}` | `unless ${string}`
    }
  | {
      loss: 'never'
      /** The next step, such as finishing an object. */
      advice: string
    }
)

/** `about 1,204,000 values`, `1 row`. */
function renderAmount({ count, isEstimate }: Finding, noun: string): string {
  if (count === undefined) return `an unknown number of ${noun}s`
  return `${isEstimate ? 'about ' : ''}${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** In the order of a report. */
export const effects = {
  'table dropped': {
    change: 'a table, partition or chunk with rows is dropped',
    loss: 'yes',
    find: comparison => [...findDroppedTables(comparison), ...findDroppedParts(comparison)],
    describe: finding => `${finding.detail} dropped, ${renderAmount(finding, 'row')}`,
  },
  'column dropped': {
    change: 'a column, or an attribute of a composite type, is dropped',
    loss: 'if it has a value and is not generated',
    find: columnsThat((_, now) => now === undefined),
    describe: finding => `column ${finding.object} dropped, ${renderAmount(finding, 'value')}`,
  },
  'type narrowed': {
    change: '`ALTER … TYPE` or `USING` changes values',
    loss: 'unless hashes prove that converting back restores them',
    find: findNarrowedColumns,
    describe: finding =>
      `column ${finding.object} converted ${finding.detail}, ${renderAmount(finding, 'value')}`,
  },
  'table emptied': {
    change: 'a table is emptied',
    loss: 'unless the rows are reinserted or the change rolled back',
    find: findEmptiedTables,
    describe: finding => `${finding.object} emptied, ${renderAmount(finding, 'row')}`,
  },
  'rows deleted': {
    change: 'rows are deleted',
    loss: 'unless the rows are reinserted or the change rolled back',
    find: findDeletedRows,
    describe: finding => `${renderAmount(finding, 'row')} deleted from ${finding.object}`,
  },
  'large objects deleted': {
    change: 'large objects are deleted',
    loss: 'unless they are notes of the action',
    find: findLargeObjects,
    describe: finding => `${renderAmount(finding, 'large object')} deleted`,
  },
  'retention added': {
    change: 'a retention policy is added or changed',
    loss: 'if it deletes a chunk now',
    find: findRetention,
    describe: finding =>
      `a policy deletes chunks of ${finding.object} that are older than ${finding.detail}, now ${renderAmount(finding, 'row')}`,
  },
  'constraint not valid': {
    change: 'a constraint is left `NOT VALID`',
    loss: 'never',
    find: findUnfinished('constraints'),
    describe: finding =>
      `constraint ${finding.object} is left NOT VALID, and ${renderAmount(finding, 'row')} of ${finding.detail} break it`,
    advice: 'once no row breaks it, use VALIDATE CONSTRAINT in a transaction of its own',
  },
  'index invalid': {
    change: 'an index is left invalid',
    loss: 'never',
    find: findUnfinished('indexes'),
    describe: ({ object, detail }) =>
      `index ${object} of ${detail} is left invalid, and slows writes down without serving a query`,
    advice: 'drop it with DROP INDEX CONCURRENTLY, and create it again',
  },
} satisfies Record<string, EffectRow>

export type EffectKind = keyof typeof effects

export const effectKinds = keysOf(effects)

/** The stored form of a finding. A release that does not know the kind shows the message. */
function effectOf(kind: EffectKind, finding: Finding): Effect {
  const { object, count, isEstimate, isHarmless = false } = finding
  const row: EffectRow = effects[kind]
  const destructive = row.loss !== 'never' && !isHarmless
  const advice = row.loss === 'never' ? row.advice : undefined
  return { kind, object, message: row.describe(finding), advice, destructive, count, isEstimate }
}

/** Compares a database before and after a migration: finds data changes and unfinished objects. */
export async function findEffects(comparison: Comparison): Promise<Effect[]> {
  const found: Effect[] = []
  for (const kind of effectKinds)
    for (const finding of await effects[kind].find(comparison)) found.push(effectOf(kind, finding))
  return found
}
