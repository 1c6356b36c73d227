/** SQL that masks a value and keeps its form: tokens, IP addresses, coordinates, dates. */
import { digest, hex } from './expressions.ts'

/** A number of 32 bits that only the text and the secret decide. */
const numberOf = (text: string) => `('x' || left(${hex(text)}, 8))::bit(32)::bigint`

/** Classes of characters. A character stays in its class, so hexadecimal, decimal and base64 texts stay such texts. */
const classes = [
  ['0', '9'],
  ['a', 'f'],
  ['g', 'z'],
  ['A', 'F'],
  ['G', 'Z'],
] as const

function moved(from: string, to: string): string {
  const [first, count] = [from.charCodeAt(0), to.charCodeAt(0) - from.charCodeAt(0) + 1]
  return `when letter between '${from}' and '${to}' then chr(${first} + (ascii(letter) - ${first} + byte) % ${count})`
}

/** Characters of one half of a token for which one digest has bytes. */
const bytesOfDigest = 32

/**
 * One round of a Feistel network: every second character is moved by a digest of the others, which stay. It can be undone,
 * so different tokens stay different, however short they are.
 */
function round(token: string, number: number): string {
  const others = `regexp_replace(${token}, '(.)(.?)', '${number % 2 === 0 ? String.raw`\2` : String.raw`\1`}', 'g')`
  const stream = `(select string_agg(${digest(`'token ${number} ' || piece || ' ' || ${others}`)}, '' order by piece)
    from generate_series(0, length(${token}) / ${2 * bytesOfDigest}) as series(piece))`
  return `(select coalesce(string_agg(case
      when place % 2 = ${number % 2} then letter
      when is_base32 and letter between '2' and '7' then chr(50 + (ascii(letter) - 50 + byte) % 6)
      ${classes.map(([from, to]) => moved(from, to)).join('\n      ')}
      when ascii(letter) > 127 then chr(97 + byte % 26)
      else letter end, ''), ${token})
    from (select ${stream}, ${token} ~ '^[A-Z2-7]{16,}=*$' offset 0) as made(stream, is_base32),
      unnest(string_to_array(${token}, null)) with ordinality as part(one, place),
      lateral (select one collate "C", get_byte(stream, (place - 1)::int / 2)) as now(letter, byte))`
}

/** Another token of the same length and alphabet. Signs between letters and digits stay. */
export const token = (value: string): string =>
  `(select ${round('token_2', 2)} from (select ${round('token_1', 1)} from (select ${round('token_0', 0)}
    from (select ${value} offset 0) as round_0(token_0) offset 0) as round_1(token_1) offset 0) as round_2(token_2))`

/** Each byte is two hexadecimal digits, which stay such. */
export const tokenOfBytes = (value: string): string => `decode(${token(`encode(${value}, 'hex')`)}, 'hex')`

/** An address from a digest of the old one, in IPv6 where the condition holds. The length of a network stays. */
const address = (value: string, isIPv6: string): string =>
  `(select case when ${isIPv6}
      then host(('2001:db8:' || regexp_replace(left(encode(digest, 'hex'), 24), '(....)(?=.)', '\\1:', 'g'))::inet)
      else concat_ws('.', 240 + get_byte(digest, 0) % 15, get_byte(digest, 1), get_byte(digest, 2), get_byte(digest, 3)) end
    || coalesce(substring(${value} from case when strpos(${value}, ':') > 0 then '/[0-9]+$' else '/(?!32$)[0-9]+$' end), '')
  from (select ${digest(`lower(split_part(${value}, '/', 1))`)} offset 0) as made(digest) where ${value} is not null)`

/** An address that no host has: 240.0.0.0/4 is reserved (RFC 1112), 2001:db8::/32 is for documentation (RFC 3849). */
export const ip = (value: string): string => address(value, `strpos(${value}, ':') > 0`)

/** 240.0.0.0/4 is too small to keep many addresses apart: 96 bits of 2001:db8::/32 are not. */
export const ip6 = (value: string): string => address(value, 'true')

export const ipOfType = (made: string, type: string): string =>
  type.startsWith('cidr') ? `network((${made})::inet)` : made

/**
 * Degrees that are valid as a latitude and as a longitude. Rounded first, so that a number, a text and a point with the same
 * coordinate get the same one.
 */
export const degrees = (value: string): string =>
  `round(${numberOf(`'degrees ' || round(${value}, 6)`)} / 4294967296.0 * 170 - 85, 6)`

/** Whole numbers are ten-millionths of a degree, as OpenStreetMap and Google's E7 formats store them. */
export const degreesOfNumber = (own: string, type: string): string =>
  /^(?:integer|bigint)/.test(type)
    ? `${degrees(`${own}::numeric / 10000000`)} * 10000000`
    : degrees(`${own}::numeric`)

export const degreesOfText = (value: string, otherwise: string): string =>
  `case when ${value} ~ '^\\s*[-+]?[0-9]{1,3}([.][0-9]+)?\\s*$' then ${degrees(`${value}::numeric`)}::text else ${otherwise} end`

const float = (value: string) => `${degrees(`(${value})::numeric`)}::float8`

export const place = (own: string): string => `point(${float(`${own}[0]`)}, ${float(`${own}[1]`)})`

/** PostGIS: moves the centre of a shape to another place. */
export function shape(own: string, type: string): string {
  const schema = /^(.*\.)geo(?:metry|graphy)\b/.exec(type)?.[1] ?? ''
  const [x, y] = ['st_x', 'st_y'].map(axis => `${schema}${axis}(centre)`)
  return `(select coalesce(${schema}st_translate(shape, ${float(`${x}`)} - ${x}, ${float(`${y}`)} - ${y}), shape)
    from (select shape, ${schema}st_centroid(shape) from (select ${own}::${schema}geometry offset 0) as found(shape) offset 0)
      as made(shape, centre))`
}

/** Days by which the dates of a row move to the past, so that none gets into the future: 1 to 365. */
export const movedDate = (own: string, dates: readonly string[]): string =>
  `(${own} - (1 + ${numberOf(`concat_ws(' ', 'date', ${dates.map(date => `${date}::text`).join()})`)} % 365) * interval '24 hours')`
