/** SQL that masks the values of JSON by their paths. */
import { quoteText } from '#postgres/sql'
import type { Column } from './catalog.ts'
import { digits, withPatterns, workSchema } from './expressions.ts'
import { degrees } from './shapes.ts'

export interface JsonPath {
  /** Matches the keys that lead to a value, each followed by a dot. */
  pattern: string
  kind: string
  argument?: string | undefined
}

/** A key is a name, `*` for one key, or `**` for any number of keys. Alone, both wildcards match every path. */
const wildcards = ['*', '**']

const keysOf = (path: string) => (wildcards.includes(path) ? [] : path.split('.'))

const countNames = (path: string) => keysOf(path).filter(key => !wildcards.includes(key)).length

/** The keys that match exactly one key: names and `*`. */
const countSingleKeys = (path: string) => keysOf(path).filter(key => key !== '**').length

function patternOf(key: string): string {
  if (key === '**') return '([^.]*[.])*'
  if (key === '*') return '[^.]*[.]'
  return `${key.replace(/[^\p{L}\p{N}_ -]/gu, '\\$&')}[.]`
}

/** The most specific paths first: those with the most names, then those with the most single keys. */
export const orderPaths = (paths: readonly (Omit<JsonPath, 'pattern'> & { path: string })[]): JsonPath[] =>
  paths
    .toSorted(
      ({ path: first }, { path: second }) =>
        countNames(second) - countNames(first) || countSingleKeys(second) - countSingleKeys(first),
    )
    .map(({ path, ...rule }) => ({ ...rule, pattern: `^${keysOf(path).map(patternOf).join('')}` }))

/** Escapes that PostgreSQL cannot read, after an even number of backslashes: \u0000, half a surrogate pair. */
const unreadable = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..\\u)d[c-f]..)`

/** JSON as jsonb. A space replaces each unreadable escape. */
export const readJson = (value: string) =>
  `case when strpos(${value}::text, '\\u') > 0 then regexp_replace(${value}::text, '${unreadable}', '\\1 ', 'gi')::jsonb else ${value}::jsonb end`

const asJson = (paths: readonly JsonPath[]) => `${quoteText(JSON.stringify(paths))}::jsonb`

/** The value of a column as jsonb, as SQL; null for a text that is no JSON. */
export function jsonOf(value: string, { family, type }: Pick<Column, 'family' | 'type'>): string {
  if (family === 'text') return `${workSchema}.parsed_json(${value}::text ${withPatterns})`
  return type === 'jsonb' ? value : readJson(value)
}

/** SQL for the masked JSON of a value as jsonb. */
export const maskedJson = (json: string, paths: readonly JsonPath[]): string =>
  `${workSchema}.masked_json(${json}, '', ${asJson(paths)})`

/** A query for the texts in JSON that a rule changes. */
export const textsOfJson = (json: string, paths: readonly JsonPath[]): string =>
  `select ${workSchema}.masked_texts(${json}, ${asJson(paths)})`

/** SQL that creates the functions of these expressions. They recurse, because JSON has no limit of depth. */
export const jsonFunctions = (texts: readonly { kind: string; sql: string }[]): string => `
  create function ${workSchema}.rule_of(path text, rules jsonb) returns jsonb language sql immutable as
    $$ select rule from jsonb_array_elements(rules) with ordinality as rule_at(rule, place)
      where path ~ (rule ->> 'pattern') order by place limit 1 $$;
  create function ${workSchema}.masked_text(original text, rule_kind text) returns text language plpgsql as
    $$ begin return case rule_kind ${texts.map(({ kind, sql }) => `when '${kind}' then ${sql}`).join(' ')} end; end $$;
  create function ${workSchema}.parsed_json(original text) returns jsonb language plpgsql as
    $$ begin return ${readJson('original')}; exception when data_exception then return null; end $$;
  create function ${workSchema}.masked_json(node jsonb, path text, rules jsonb) returns jsonb language plpgsql strict as $$
    declare
      rule jsonb;
    begin
      if jsonb_typeof(node) = 'object' then
        return (select coalesce(jsonb_object_agg(entry.k, ${workSchema}.masked_json(entry.v, path || entry.k || '.', rules)), '{}')
          from jsonb_each(node) as entry(k, v));
      elsif jsonb_typeof(node) = 'array' then
        return (select coalesce(jsonb_agg(${workSchema}.masked_json(entry.v, path, rules) order by entry.n), '[]')
          from jsonb_array_elements(node) with ordinality as entry(v, n));
      end if;
      rule := ${workSchema}.rule_of(path, rules);
      return case
        when rule ->> 'kind' = 'keep' then node
        when rule ->> 'kind' = 'null' then 'null'
        when rule ->> 'kind' = 'fixed' then rule -> 'argument'
        when jsonb_typeof(node) = 'string' then to_jsonb(${workSchema}.masked_text(node #>> '{}', rule ->> 'kind'))
        when jsonb_typeof(node) = 'number' and rule ->> 'kind' = 'location' then to_jsonb(${degrees("(node #>> '{}')::numeric")})
        when jsonb_typeof(node) = 'number' then to_jsonb(${digits("(node #>> '{}')")}::numeric)
        else node end;
    end $$;
  create function ${workSchema}.masked_texts(whole jsonb, rules jsonb) returns setof text language sql as $$
    with recursive leaf(path, node) as (
      select '', whole
      union all
      select leaf.path || below.path, below.node from leaf, lateral (
        select entry.k || '.', entry.v from jsonb_each(case jsonb_typeof(leaf.node) when 'object' then leaf.node else '{}' end) as entry(k, v)
        union all
        select '', entry from jsonb_array_elements(case jsonb_typeof(leaf.node) when 'array' then leaf.node else '[]' end) as entry
      ) as below(path, node))
    select node #>> '{}' from leaf, lateral (select ${workSchema}.rule_of(path, rules)) as found(rule)
    where jsonb_typeof(node) = 'string' and rule ->> 'kind' <> 'keep' and rule -> 'argument' is distinct from node $$;`
