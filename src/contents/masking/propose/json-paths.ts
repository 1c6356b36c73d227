/** Finds the paths of JSON whose texts are values of columns, so that both get the same rule, and the paths of secrets. */
import { quoteName } from '#postgres/sql'
import type { Catalog } from '../plan/catalog.ts'
import { readJson } from '../plan/json.ts'
import type { RuleKind } from '../plan/rules.ts'
import { isSecret } from './facts.ts'
import { fitRule, isBound, isMasked, type PathRule, type Proposed } from './groups.ts'
import { findHeld, findHolders, type Held, type Search } from './holders.ts'
import { sampleOf, secretFormat } from './measure.ts'
import { normalize } from './names.ts'

/** The rules of a proposed JSON column by last keys. Others get `text`. */
const byLastKey: Readonly<Record<string, RuleKind>> = { type: 'keep', email: 'email' }

/** Larger documents, as stored in bytes, and later parts of the sample are ignored. */
const mostRead = { document: 20_000, documents: 50, parts: 100_000 }
const longestValue = 200

/** Other keys may be data, such as an id or the name of a person, and become `*`. */
const nameOfKey = '^[A-Za-z_][A-Za-z_-]{0,39}[0-9]{0,2}$'
const nameOfId = '(^|[._-])ids?[.]$|[a-z]I[Dd]s?[.]$'

/** The texts of a sample of documents by path, as SQL. A number counts only if it is named like an id. */
function valuesOf({ table, column }: Proposed, version: number): string {
  const document = quoteName(column.name)
  const isJson = column.family === 'text' && version >= 160_000 ? `and ${document} is json` : ''
  return `part(path, node) as (
      (select '', ${readJson(document)} from ${sampleOf(table)}
        where pg_column_size(${document}) <= ${mostRead.document} ${isJson} limit ${mostRead.documents})
      union all
      select below.path, below.node from part, lateral (
        select part.path || case when key ~ '${nameOfKey}' then key else '*' end || '.', item
          from jsonb_each(case jsonb_typeof(part.node) when 'object' then part.node else '{}' end) as entry(key, item)
        union all
        select part.path, item
          from jsonb_array_elements(case jsonb_typeof(part.node) when 'array' then part.node else '[]' end) as element(item)
      ) as below(path, node)),
    found(path, value) as (
      select left(path, -1), text from (select path, node #>> '{}' as text, jsonb_typeof(node) as type from part limit ${mostRead.parts}) as leaf
      where path <> '' and type in ('string', 'number') and (length(text) between 1 and ${longestValue} or text ~ '${secretFormat}')
        and (path ~ '${nameOfId}' or type = 'string' and text !~ '^[0-9]+$'))`
}

/** The path with `*` for one key. The last key stays, because it names the values. */
function withoutKey(path: string, place: number): string {
  const keys = path.split('.')
  return place < keys.length - 1 ? keys.with(place, '*').join('.') : path
}

const fits = (path: string, pattern: string) => new RegExp(`^${pattern.replaceAll('*', '[^.]*')}$`).test(path)

/** At least this many paths that differ in one key become one path, if no other path fits it. */
const fewestAlike = 3

/** Replaces a key by `*` where many keys lead to values with the same rule, as the names of services. */
function joinPaths(found: readonly PathRule[], all: readonly string[]): PathRule[] {
  const isFound = (path: string, rule: RuleKind) => found.some(one => one.path === path && one.rule === rule)
  let joined = [...found]
  for (const place of Array(Math.max(0, ...found.map(({ path }) => path.split('.').length))).keys()) {
    const groups = Map.groupBy(joined, ({ path, rule }) => `${rule} ${withoutKey(path, place)}`)
    joined = [...groups.values()].flatMap(group => {
      const [first] = group
      if (first === undefined || group.length < fewestAlike) return group
      const path = withoutKey(first.path, place)
      const isWhole = all.filter(one => fits(one, path)).every(one => isFound(one, first.rule))
      return isWhole ? [{ path, rule: first.rule }] : group
    })
  }
  return joined.toSorted((first, second) => (first.path < second.path ? -1 : 1))
}

/** A path without a name would cover other values too. */
const isNamed = (path: string) => path.split('.').some(key => key !== '*' && key !== '')

/** The last key decides already. */
const isCovered = ({ path, rule }: PathRule) =>
  rule === (byLastKey[path.slice(path.lastIndexOf('.') + 1)] ?? 'text')

/** The rules for the other parts of JSON. Without values, all ids stay. */
const othersOf = (paths: readonly PathRule[] | undefined): PathRule[] => [
  ...(paths === undefined ? [{ path: '**.id', rule: 'keep' } as const] : []),
  ...Object.entries(byLastKey).map(([key, rule]) => ({ path: `**.${key}`, rule })),
  { path: '*', rule: 'text' },
]

export function renderPaths(paths: readonly PathRule[] | undefined): string {
  const others = paths?.some(({ path }) => path === '*') ? [] : othersOf(paths)
  const all = [...(paths ?? []), ...others].map(({ path, rule }) => `${JSON.stringify(path)}: ${rule}`)
  return `{ json: { ${all.join(', ')} } }`
}

const isMeasured = ({ column, evidence, decision }: Proposed) =>
  evidence.measured !== undefined &&
  (decision.rule === 'json' ||
    (decision.rule === 'keep' && column.family === 'json' && fitRule(column, evidence, 'json') === 'json'))

/** The rule of the column that holds the values of a path. In a kept column, a secret becomes a token. */
function chooseRule({ path, holder, hasSecret }: Held, isKept: boolean): PathRule | undefined {
  if (holder && isNamed(path)) return { path, rule: holder.decision.rule }
  const name = normalize(path.split('.').at(-1) ?? '')
  return isKept && (isSecret({ name }) || (hasSecret && isNamed(path))) ? { path, rule: 'token' } : undefined
}

/** In a kept column, only the paths with values of masked columns and with secrets get a rule. */
function addPaths(one: Proposed, held: readonly Held[]): void {
  const { rule, reason, confidence } = one.decision
  const isKept = rule === 'keep'
  const found = held.flatMap(path => {
    const chosen = chooseRule(path, isKept)
    const isNeeded = chosen && (isKept ? chosen.rule !== 'keep' : !isCovered(chosen))
    return isNeeded ? { ...chosen, holder: path.holder } : []
  })
  if (isKept && found.length === 0) return
  const paths = joinPaths(
    found,
    held.map(({ path }) => path),
  )
  one.paths = isKept ? [...paths, { path: '*', rule: 'keep' }] : paths
  const names = new Set(
    found.map(({ holder }) => (holder ? `${holder.table.name}.${holder.column.name}` : 'secrets')),
  )
  one.decision = {
    rule: 'json',
    confidence: isKept ? 'uncertain' : confidence,
    reason: names.size > 0 ? `${reason}; values of ${[...names].join(', ')}` : reason,
  }
}

/** A kept path keeps its other values, too. Texts with 16 characters in all are not equal by chance. */
const least = { masked: 0.5, kept: 0.8, characters: 16 }

/** Adds paths to the columns of JSON, of `some`, whose values can be read in time. */
export async function measurePaths(
  search: Search,
  catalog: Catalog,
  proposed: readonly Proposed[],
  some = proposed,
): Promise<void> {
  const holders = findHolders(catalog, proposed)
  const columns = some.filter(one => isMeasured(one) && !isBound(one))
  for (const one of [...columns.filter(isMasked), ...columns.filter(one => !isMasked(one))]) {
    const held = await findHeld(search, valuesOf(one, catalog.version), holders, least)
    if (held.length > 0) addPaths(one, held)
  }
}
