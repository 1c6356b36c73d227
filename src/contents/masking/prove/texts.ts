/** SQL that splits values into words and hashes them, so that originals are found inside other texts. */
import { quoteName } from '#postgres/sql'
import type { Column } from '../plan/catalog.ts'
import { digest, workSchema } from '../plan/expressions.ts'
import { type JsonPath, jsonOf, readJson, textsOfJson } from '../plan/json.ts'
import type { PlannedColumn } from '../plan/plan.ts'

/** In characters. Shorter originals occur in too many texts by chance. */
export const shortest = 8

/** The number of characters of one value that are searched. */
export const longest = 1_000_000

/** Separators of words: all ASCII characters except letters and digits. */
const separators = String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`

const replaceBySpace = (text: string, pattern: string) =>
  `regexp_replace(${text}, E'${pattern.replaceAll('\\', '\\\\')}+', ' ', 'g')`

/** JSON writes a line break as `\n`. Its `n` would become part of a word. */
const separateWords = (text: string) =>
  `case when strpos(${text}, '\\') > 0 then ${replaceBySpace(text, String.raw`(?:\\[nrtfb]|${separators})`)} else ${replaceBySpace(text, separators)} end`

/** A collation that lowers the letters of all languages, if PostgreSQL includes one. */
const folding = `${workSchema}.folding`

/**
 * The words of a text in lower case, as SQL, with an empty word for a separator at either end. Escapes, quotes and the
 * syntax of JSON or arrays do not change them. A regular expression takes half the time of translate().
 */
export const piecesOf = (text: string, collation = folding): string =>
  `string_to_array(lower((${separateWords(`${text} collate "C"`)}) collate ${collation}), ' ')`

/** As `piecesOf`, without the empty words. */
export const wordsOf = (text: string): string => `array_remove(${piecesOf(text)}, '')`

/** As `wordsOf`, but letters beyond ASCII stay unchanged, as in a bytea column. */
export const wordsInBytes = (text: string): string => `array_remove(${piecesOf(text, '"C"')}, '')`

/** Identifies a sequence of words. Computing it requires the secret. */
export const hashOf = (words: string): string =>
  `substring(${digest(`array_to_string(${words}, ' ')`)}, 1, 16)`

/** A faster hash of one word. `hashOf` then compares each match. */
export const hashOfWord = (word: string): string =>
  `hashtextextended(${word} collate "C", (select seed from ${workSchema}.secret))`

export const bytesAsText = (bytes: string): string => `encode(${bytes}, 'escape')`

/** The words of a tsvector in the order of its source text, appended to the value, which sorts them. */
const orderWords = (value: string) =>
  `concat_ws(' ', ${value}::text, (select string_agg(lexeme, ' ' order by position)
    from unnest(${value}) as entry, unnest(positions) as position))`

/** The complete value as the text to search, as SQL. */
export function textOf({ name, family, type }: Column): string {
  const value = quoteName(name)
  if (type === 'tsvector') return orderWords(value)
  if (family === 'texts') return `array_to_string(${value}::text[], ' ')`
  if (family === 'bytes') return bytesAsText(`${value}::bytea`)
  if (family !== 'json') return `${value}::text`
  // The type json keeps escapes such as \u00e9.
  return `${value}::text || case when strpos(${value}::text, '\\u') > 0 then ' ' || (${readJson(value)})::text else '' end`
}

/** A query for the texts that a rule for parts of JSON changes. A text that is no JSON is one of them. */
function partsByPath(value: string, column: Pick<Column, 'family' | 'type'>, paths: readonly JsonPath[]) {
  const json = jsonOf(value, column)
  return `${textsOfJson(json, paths)} union all select ${value}::text where ${json} is null`
}

/** A query for the texts within a value: the strings of JSON, the elements of an array. */
export function partsOf({ name, family, type, rule }: PlannedColumn): string {
  const value = quoteName(name)
  if (rule?.paths !== undefined && family === 'texts')
    return `select part.value from unnest(${value}::text[]) as entry(element),
      lateral (${partsByPath('element', { family: 'text', type: 'text' }, rule.paths)}) as part(value)`
  if (rule?.paths !== undefined) return partsByPath(value, { family, type }, rule.paths)
  if (family === 'ip') return `select host(${value})`
  if (family === 'texts') return `select unnest(${value}::text[])`
  if (family === 'bytes') return `select ${bytesAsText(`${value}::bytea`)}`
  if (family === 'json')
    return `select one #>> '{}' from jsonb_path_query(${readJson(value)}, 'strict $.** ? (@.type() == "string")') as string(one)`
  return `select ${value}::text`
}
