import type { Column } from '../plan/catalog.ts'
import { digest, quoteName, workSchema } from '../plan/expressions.ts'
import { readJson, textsOfJson } from '../plan/json.ts'
import type { PlannedColumn } from '../plan/planned.ts'

/** Characters. Shorter originals stand in too many texts by chance. */
export const shortest = 8

/** Characters of one value that are searched. */
export const longest = 1_000_000

/** The words of a text are what stands between these: all of ASCII but letters and digits. */
const separators = String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`

const replaced = (text: string, signs: string) =>
  `regexp_replace(${text}, E'${signs.replaceAll('\\', '\\\\')}+', ' ', 'g')`

/** In JSON the end of a line is `\n`, whose `n` would become part of a word. */
const separated = (text: string) =>
  `case when strpos(${text}, '\\') > 0 then ${replaced(text, String.raw`(?:\\[nrtfb]|${separators})`)} else ${replaced(text, separators)} end`

/** How letters become small ones: those of all languages, where PostgreSQL can do that by itself. */
const folding = `${workSchema}.folding`

/**
 * The words of a text in small letters, as SQL, with an empty one where it begins or ends with a separator. Escapes, quotes
 * and the shape of JSON or arrays make no difference to them. A regular expression takes half the time of translate().
 */
export const piecesOf = (text: string, collation = folding): string =>
  `string_to_array(lower((${separated(`${text} collate "C"`)}) collate ${collation}), ' ')`

/** As `piecesOf`, without the empty ones. */
export const wordsOf = (text: string): string => `array_remove(${piecesOf(text)}, '')`

/** As `wordsOf`, where letters beyond ASCII stay as they are, as they do in a column of bytes. */
export const wordsInBytes = (text: string): string => `array_remove(${piecesOf(text, '"C"')}, '')`

/** What tells some words in a row from all others; only with the secret can it be computed. */
export const hashOf = (words: string): string =>
  `substring(${digest(`array_to_string(${words}, ' ')`)}, 1, 16)`

/** As `hashOf` for one word, and quicker; what fits is compared by `hashOf` as well. */
export const hashOfWord = (word: string): string =>
  `hashtextextended(${word} collate "C", (select seed from ${workSchema}.secret))`

/** Bytes as text: letters stay letters, all else becomes digits. */
export const bytesAsText = (bytes: string): string => `encode(${bytes}, 'escape')`

/** The words of a tsvector as they stood in the text that it was made of, after the value as it is written: by the alphabet. */
const inOrder = (value: string) =>
  `concat_ws(' ', ${value}::text, (select string_agg(lexeme, ' ' order by position)
    from unnest(${value}) as entry, unnest(positions) as position))`

/** The whole of a value as the text that is searched, as SQL. */
export function textOf({ name, family, type }: Column): string {
  const value = quoteName(name)
  if (type === 'tsvector') return inOrder(value)
  if (family === 'texts') return `array_to_string(${value}::text[], ' ')`
  if (family === 'bytes') return bytesAsText(`${value}::bytea`)
  if (family !== 'json') return `${value}::text`
  // The type json keeps escapes like \u00e9 as they were written.
  return `${value}::text || case when strpos(${value}::text, '\\u') > 0 then ' ' || (${readJson(value)})::text else '' end`
}

/** A query for the texts that a value consists of: the strings in JSON, the elements of an array. */
export function partsOf({ name, family, rule }: PlannedColumn): string {
  const value = quoteName(name)
  if (rule?.paths !== undefined) return textsOfJson(readJson(value), rule.paths)
  if (family === 'ip') return `select host(${value})`
  if (family === 'texts') return `select unnest(${value}::text[])`
  if (family === 'bytes') return `select ${bytesAsText(`${value}::bytea`)}`
  if (family === 'json')
    return `select one #>> '{}' from jsonb_path_query(${readJson(value)}, 'strict $.** ? (@.type() == "string")') as string(one)`
  return `select ${value}::text`
}
