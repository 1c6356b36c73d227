/** Proposes rules for kept columns in which originals of masked columns would remain. */
import type { Session } from '#postgres/session'
import { hasTrialRights, MaskingError, prepareSession } from '../mask/work.ts'
import { type Catalog, columnName, rowsOf, type Table } from '../plan/catalog.ts'
import { parseMaskFile } from '../plan/mask-file.ts'
import { findProblems } from '../plan/match-rules.ts'
import type { RuleKind } from '../plan/rules.ts'
import { findKeptOriginals } from '../prove/prove.ts'
import { holds } from './facts.ts'
import { fitRule, isBound, type Proposed } from './groups.ts'
import { findUndeclaredKeys } from './shared-values.ts'

/** Rows of each table, milliseconds of each statement, and rounds: originals of a newly masked column may be in others. */
const most = { rows: 5000, milliseconds: 10_000, rounds: 4 }

/** Several queries read the same sample of a large table. */
function sampleOf(table: Table): string {
  const percent = (100 * most.rows) / Math.max(table.rows, 1)
  const sample =
    table.isPlain && percent < 50 ? ` tablesample system (${percent.toFixed(6)}) repeatable (1)` : ''
  return `(select * from ${rowsOf(table)}${sample} limit ${2 * most.rows})`
}

/** The rule for a column with originals. Its own rule, if these must stay, or if no rule removes them. */
function chooseRule({ column, evidence, decision }: Proposed, areIds: boolean): RuleKind {
  const suit = (rule: RuleKind) => fitRule(column, evidence, rule)
  // Values of a rule may not have the form that a constraint requires.
  const mustStay = evidence.isKey || evidence.hasCheck || areIds
  if (decision.rule !== 'keep' || mustStay) return decision.rule
  if (column.family === 'json' || holds('looks:json', evidence)) return suit('json')
  if (holds('looks:url', evidence)) return suit('url')
  return suit(column.family === 'bytes' ? 'null' : 'text')
}

/** The originals in the column are ids or names of things, which must stay. */
function holdsIds({ evidence }: Proposed, sources: readonly Proposed[], inKeys: ReadonlySet<Proposed>) {
  // A name in a document identifies a thing, and the originals in a key are ids.
  const isDocument = ({ decision }: Proposed) => decision.rule === 'json'
  const isId = holds('type:text name:identifier|looks:secret|looks:uuid', evidence)
  const isName = holds('type:text name:identifier|name:technical|unique name:identifier|!personal', evidence)
  return (isName && sources.every(isDocument)) || (isId && sources.every(source => inKeys.has(source)))
}

/** Returns true if the column gets another rule. */
function decideAgain(one: Proposed, sources: readonly Proposed[], areIds: boolean): boolean {
  const { decision } = one
  const rule = isBound(one) ? decision.rule : chooseRule(one, areIds)
  const subject = decision.rule === 'json' ? 'its keys or kept parts contain' : 'contains'
  const [first, ...others] = sources.map(({ table, column }) => `${table.name}.${column.name}`)
  const source = others.length > 0 ? `${first} and others` : first
  one.decision = { rule, confidence: 'uncertain', reason: `${subject} values of ${source}` }
  // No part of the JSON stays, unless there is time to measure it again.
  if (one.paths) one.paths = one.paths.filter(({ rule }) => rule !== 'keep')
  return rule !== decision.rule
}

export interface Proposal {
  catalog: Catalog
  proposed: readonly Proposed[]
  /** The file of rules as it is now. */
  render(): string
  /** Finds the parts of JSON that must stay. */
  measurePaths(columns: readonly Proposed[]): Promise<void>
}

/** Changes decisions. Without the rights for a trial, or if it takes too long, they stay. */
export async function maskRemaining(
  session: Session,
  { catalog, proposed, render, measurePaths }: Proposal,
): Promise<void> {
  if (!(await hasTrialRights(session))) return
  const places = new Map(proposed.map(one => [columnName(one.table, one.column), one]))
  const undeclared = findUndeclaredKeys(proposed)
  await prepareSession(session)
  for (let round = 0; round < most.rounds; round++) {
    await session.query(`set statement_timeout = ${most.milliseconds}`)
    const { plan } = findProblems(parseMaskFile({ name: 'the proposal', text: render() }), catalog)
    const hits = await findKeptOriginals(session, plan, sampleOf).catch(error => {
      if (error instanceof MaskingError) return []
      throw error
    })
    const found = hits.flatMap(({ place, from }) => {
      const one = places.get(place)
      return one ? [{ one, sources: from.flatMap(source => places.get(source) ?? []) }] : []
    })
    const inKeys = new Set(found.flatMap(({ one, sources }) => (one.evidence.isKey ? sources : [])))
    const changed = found.filter(({ one, sources }) =>
      decideAgain(one, sources, undeclared.has(one) || holdsIds(one, sources, inKeys)),
    )
    // A path of JSON may have been kept like a column that is masked now.
    await measurePaths(found.map(({ one }) => one).filter(({ decision }) => decision.rule === 'json'))
    if (changed.length === 0) break
  }
  await session.query('set statement_timeout = 0')
}
