/** SQL that computes a masked value from a value and the secret of the run. */
import { quoteText } from '#postgres/sql'

/** The schema for temporary objects of masking. */
export const workSchema = 'managed_database_action_masking'

/** The secret of the run. The database creates it in the work schema and never returns it. */
const key = `(select key from ${workSchema}.secret)`

/** A collation with patterns, as SQL. That of a column may be nondeterministic, which supports none. */
export const withPatterns = 'collate "default"'

/** SQL for 32 keyed bytes. Outsiders cannot choose the text after the secret, so the prefix is as safe as HMAC. */
export const digest = (value: string): string =>
  `sha256(${key} || convert_to(${value}, (select current_setting('server_encoding'))))`

/** The digest in 64 hexadecimal digits. */
export const hex = (value: string) => `encode(${digest(value)}, 'hex')`

const syllables = 'ba do fe gu ka li mo nu pe ra so ti ve wi xa zo'.split(' ')
const capitalized = syllables.map(syllable => syllable.charAt(0).toUpperCase() + syllable.slice(1))

/** SQL for an invented word of three syllables, of no known language. A value with a space gets two words. */
export function inventName(value: string): string {
  const choose = (from: readonly string[], at: number) =>
    `(array[${from.map(quoteText).join()}])[1 + get_byte(digest, ${at}) % ${from.length}]`
  const word = (at: number) =>
    `${choose(capitalized, at)} || ${choose(syllables, at + 1)} || ${choose(syllables, at + 2)}`
  return `(select ${word(0)} || case when strpos(${value}, ' ') > 0 then ' ' || ${word(3)} else '' end from (select ${digest(value)} offset 0) as made(digest))`
}

const ascii = (letter: string) => letter.charCodeAt(0)

/**
 * SQL that replaces letters by letters and digits by digits. Characters outside ASCII count as small letters. unnest() and
 * generate_series() advance together, so each character gets its own byte.
 */
export const digits = (value: string) => `(select coalesce(string_agg(case
    when code between ${ascii('0')} and ${ascii('9')} then chr(${ascii('0')} + byte % 10)
    when code between ${ascii('A')} and ${ascii('Z')} then chr(${ascii('A')} + byte % 26)
    when code between ${ascii('a')} and ${ascii('z')} or code > 127 then chr(${ascii('a')} + byte % 26)
    else chr(code) end, ''), ${value})
  from (select ascii(unnest(string_to_array(${value}, null))) as code,
      get_byte(digest, generate_series(1, length(${value})) % 32) as byte
    from (select ${digest(value)} offset 0) as made(digest)) as part)`
