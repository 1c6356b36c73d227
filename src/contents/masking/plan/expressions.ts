/** SQL that computes a masked value from a value and the secret of the run. */

/** The schema for temporary objects of masking. */
export const workSchema = 'managed_database_action_masking'

/** The secret of the run. The database creates it in the work schema and never returns it. */
const key = `(select key from ${workSchema}.secret)`

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * SQL for 32 bytes that depend only on the text and the secret. Outsiders cannot choose the text after the secret, so this
 * prefix is as safe as HMAC.
 */
export const digest = (value: string): string =>
  `sha256(${key} || convert_to(${value}, (select current_setting('server_encoding'))))`

/** The digest in 64 hexadecimal digits. */
export const hex = (value: string) => `encode(${digest(value)}, 'hex')`

const syllables = 'ba do fe gu ka li mo nu pe ra so ti ve wi xa zo'.split(' ')

/** SQL for two words of three syllables each, which form a name of no known language. */
export function inventName(value: string): string {
  const syllable = (at: number) =>
    `(array[${syllables.map(quoteText).join()}])[1 + get_byte(digest, ${at}) % ${syllables.length}]`
  const word = (from: number) => [0, 1, 2].map(at => syllable(from + at)).join(' || ')
  return `(select initcap(${word(0)} || ' ' || ${word(3)}) from (select ${digest(value)} offset 0) as made(digest))`
}

/**
 * SQL that replaces letters by letters and digits by digits. Characters outside ASCII count as small letters. unnest() returns
 * the characters in order; sorting them again takes a third of the time.
 */
export const digits = (value: string) => `(select coalesce(string_agg(case
    when letter between '0' and '9' then chr(48 + byte % 10)
    when letter between 'A' and 'Z' then chr(65 + byte % 26)
    when letter between 'a' and 'z' or ascii(letter) > 127 then chr(97 + byte % 26)
    else letter end, ''), ${value})
  from (select ${digest(value)} offset 0) as made(digest),
    unnest(string_to_array(${value}, null)) with ordinality as part(one, place),
    lateral (select one collate "C", get_byte(digest, (place % 32)::int)) as now(letter, byte))`
