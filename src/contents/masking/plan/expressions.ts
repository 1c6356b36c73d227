import { workSchema } from './catalog.ts'
import { quoteName, type Rule } from './mask-file.ts'

/** The secret of the run. It is made in the database, in a table that is dropped at the end, and leaves it never. */
const key = `(select key from ${workSchema}.secret)`

/** Hexadecimal digits of a hash, and the fewest that keep different values apart. */
export const hashLength = 32
export const leastHash = 16

const domain = '@masked.invalid'
const emailDigits = 20
export const emailLength = emailDigits + domain.length

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * 32 bytes that only the text and the secret decide. Nobody but us says what follows the secret, so the key before the
 * text is as good as HMAC.
 */
export const digest = (value: string): string =>
  `sha256(${key} || convert_to(${value}, current_setting('server_encoding')))`

const hex = (value: string) => `encode(${digest(value)}, 'hex')`

const syllables = [
  'ba',
  'do',
  'fe',
  'gu',
  'ka',
  'li',
  'mo',
  'nu',
  'pe',
  'ra',
  'so',
  'ti',
  've',
  'wi',
  'xa',
  'zo',
]

/** Six syllables: a name that no language has. */
function name(value: string): string {
  const syllable = (at: number) =>
    `(array[${syllables.map(quoteText).join()}])[1 + get_byte(digest, ${at}) % ${syllables.length}]`
  const word = (from: number) => [0, 1, 2].map(at => syllable(from + at)).join(' || ')
  return `(select initcap(${word(0)} || ' ' || ${word(3)}) from (select ${digest(value)} offset 0) as made(digest))`
}

/** Letters by letters and digits by digits, all else as it was. What is no ASCII counts as a small letter. */
const digits = (value: string) => `(select coalesce(string_agg(case
    when letter between '0' and '9' then chr(48 + byte % 10)
    when letter between 'A' and 'Z' then chr(65 + byte % 26)
    when letter between 'a' and 'z' or ascii(letter) > 127 then chr(97 + byte % 26)
    else letter end, '' order by place), ${value})
  from (select ${digest(value)} offset 0) as made(digest),
    unnest(string_to_array(${value}, null)) with ordinality as part(one, place),
    lateral (select one collate "C", get_byte(digest, (place % 32)::int)) as now(letter, byte))`

/** What a text becomes, as SQL; null stays null. */
const ofText: Record<string, (value: string) => string> = {
  hash: value => `left(${hex(value)}, ${hashLength})`,
  email: value => `left(${hex(value)}, ${emailDigits}) || '${domain}'`,
  // No country has the code 999.
  phone: value =>
    `'+999' || lpad((('x' || left(${hex(value)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`,
  text: value => `left(repeat(${hex(value)}, length(${value}) / 64 + 1), length(${value}))`,
  name: value => `case when ${value} is not null then ${name(value)} end`,
  digits: value => `case when ${value} is not null then ${digits(value)} end`,
}

interface Masked {
  name: string
  type: string
  family: string
  ignoresCase: boolean
}

/** The new value of a column of the table `target` by its rule, as SQL; of `shuffle` the old one, which another row gets. */
export function maskedValue(column: Masked, rule: Rule): string {
  const own = `target.${quoteName(column.name)}`
  if (rule.kind === 'keep' || rule.kind === 'shuffle') return own
  if (rule.kind === 'null') return 'null'
  if (rule.kind === 'fixed') return `${quoteText(rule.text)}::${column.type}`
  // A comment at the end of the expression must not swallow what follows.
  if (rule.kind === 'sql') return `(${rule.text}\n)`
  const mask = ofText[rule.kind]
  if (mask === undefined) throw new Error(`no expression for ${rule.kind}`)
  if (column.family === 'texts')
    return `case when ${own} is not null then array(select ${mask('element')} from unnest(${own}::text[]) as part(element)) end::${column.type}`
  return `(${mask(column.ignoresCase ? `lower(${own}::text)` : `${own}::text`)})::${column.type}`
}

/** Whether the rule leaves null as it is, so that rows without a value need no update. */
export const keepsNull = ({ kind }: Rule): boolean => kind !== 'fixed' && kind !== 'sql'
