/** SQL that masks a value and keeps its format: tokens, IP addresses, coordinates, dates. */
import { digest, hex } from './expressions.ts'

const numberOf = (text: string) => `('x' || left(${hex(text)}, 8))::bit(32)::bigint`

/** A character stays in its class, so hexadecimal, decimal and base64 texts stay valid. */
const letterClasses = [
  ['0', '9'],
  ['a', 'f'],
  ['g', 'z'],
  ['A', 'F'],
  ['G', 'Z'],
] as const

/** The branch of a CASE that shifts a letter within its class by the number `byte`. */
function shiftLetter(from: string, to: string): string {
  const first = from.charCodeAt(0)
  const count = to.charCodeAt(0) - first + 1
  return `when letter between '${from}' and '${to}' then chr(${first} + (ascii(letter) - ${first} + byte) % ${count})`
}

/** The characters of half a token that one digest can mask. */
const bytesOfDigest = 32

/** A round of a Feistel network: every second character moves the others. It is invertible, so tokens stay different. */
function round(token: string, number: number): string {
  const keptGroup = number % 2 === 0 ? String.raw`\2` : String.raw`\1`
  const keptHalf = `regexp_replace(${token}, '(.)(.?)', '${keptGroup}', 'g')`
  const stream = `(select string_agg(${digest(`'token ${number} ' || piece || ' ' || ${keptHalf}`)}, '' order by piece)
    from generate_series(0, length(${token}) / ${2 * bytesOfDigest}) as series(piece))`
  return `(select coalesce(string_agg(case
      when place % 2 = ${number % 2} then letter
      when is_base32 and letter between '2' and '7' then chr(50 + (ascii(letter) - 50 + byte) % 6)
      ${letterClasses.map(([from, to]) => shiftLetter(from, to)).join('\n      ')}
      when ascii(letter) > 127 then chr(97 + byte % 26)
      else letter end, ''), ${token})
    from (select ${stream}, ${token} ~ '^[A-Z2-7]{16,}=*$' offset 0) as made(stream, is_base32),
      unnest(string_to_array(${token}, null)) with ordinality as part(one, place),
      lateral (select one collate "C", get_byte(stream, (place - 1)::int / 2)) as now(letter, byte))`
}

/** Returns a text of the same length and alphabet. Punctuation stays. */
const permute = (text: string): string =>
  `(select ${round('token_2', 2)} from (select ${round('token_1', 1)} from (select ${round('token_0', 0)}
    from (select ${text} offset 0) as round_0(token_0) offset 0) as round_1(token_1) offset 0) as round_2(token_2))`

const modularCrypt = String.raw`\$(?:2[abxy]?|argon2(?:i|d|id)|scrypt|pbkdf2(?:-sha[0-9]+)?|[156])\$`

/**
 * Matches the start of a password hash: scheme and cost, in the forms of crypt(3), PHC, passlib, Django, Werkzeug,
 * Spring, WordPress and PostgreSQL. Only known names match, because this part stays.
 */
const startOfHash = [
  String.raw`^(?:\{[a-z0-9]{6}\}|\$wp|argon2|bcrypt(?:_sha256)?\$)?${modularCrypt}(?:(?:[a-z]+=[0-9]+,?)+\$|[0-9]+\$)*`,
  String.raw`^pbkdf2_sha[0-9]+\$[0-9]+\$`,
  String.raw`^(?:pbkdf2:sha[0-9]+|scrypt)(?::[0-9]+)+\$`,
  String.raw`^\$[PHS]\$.`,
  String.raw`^SCRAM-SHA-256\$[0-9]+:`,
].join('|')

/** Masks a token. Applications fail on a password hash of an unknown scheme, and hang on one of an absurd cost. */
export const token = (value: string): string =>
  `(select kept_start || ${permute('substr(whole_token, length(kept_start) + 1)')}
    from (select whole_token, coalesce(substring(whole_token from '${startOfHash}'), '') from (select ${value} offset 0) as unparted(whole_token)
      offset 0) as parted(whole_token, kept_start))`

export const tokenOfBytes = (value: string): string => `decode(${token(`encode(${value}, 'hex')`)}, 'hex')`

/** Derives an address from the digest, in IPv6 if the condition holds. The prefix length stays. */
const address = (value: string, isIPv6: string): string =>
  `(select case when ${isIPv6}
      then host(('2001:db8:' || regexp_replace(left(encode(digest, 'hex'), 24), '(....)(?=.)', '\\1:', 'g'))::inet)
      else concat_ws('.', 240 + get_byte(digest, 0) % 15, get_byte(digest, 1), get_byte(digest, 2), get_byte(digest, 3)) end
    || coalesce(substring(${value} from case when strpos(${value}, ':') > 0 then '/[0-9]+$' else '/(?!32$)[0-9]+$' end), '')
  from (select ${digest(`lower(split_part(${value}, '/', 1))`)} offset 0) as made(digest) where ${value} is not null)`

/** An address that no host has: 240.0.0.0/4 is reserved (RFC 1112), 2001:db8::/32 is for documentation (RFC 3849). */
export const ip = (value: string): string => address(value, `strpos(${value}, ':') > 0`)

/** 240.0.0.0/4 is too small to keep many addresses apart; the 96 bits of 2001:db8::/32 suffice. */
export const ip6 = (value: string): string => address(value, 'true')

/** Masks a value of the type inet or cidr by `ip` or `ip6`. A cidr must have no bits beyond its prefix. */
export const ipOfType =
  (mask: (text: string) => string) =>
  (original: string, { type }: { type: string }): string => {
    const masked = mask(`${original}::text`)
    return type.startsWith('cidr') ? `network((${masked})::inet)` : masked
  }

/** Degrees for latitude and longitude. Rounding keeps equal coordinates in numbers, texts and points equal. */
export const degrees = (value: string): string =>
  `round(${numberOf(`'degrees ' || round(${value}, 6)`)} / 4294967296.0 * 170 - 85, 6)`

/** Whole numbers are ten-millionths of a degree, as in OpenStreetMap and Google's E7 formats. */
export const degreesOfNumber = (original: string, { type }: { type: string }): string =>
  /^(?:integer|bigint)/.test(type)
    ? `${degrees(`${original}::numeric / 10000000`)} * 10000000`
    : degrees(`${original}::numeric`)

export const degreesOfText = (value: string, otherwise: string): string =>
  `case when ${value} ~ '^\\s*[-+]?[0-9]{1,3}([.][0-9]+)?\\s*$' then ${degrees(`${value}::numeric`)}::text else ${otherwise} end`

const float = (value: string) => `${degrees(`(${value})::numeric`)}::float8`

export const maskPoint = (original: string): string =>
  `point(${float(`${original}[0]`)}, ${float(`${original}[1]`)})`

/** Moves a PostGIS shape so that its center gets masked coordinates. */
export function maskGeometry(original: string, { type }: { type: string }): string {
  const schema = /^(.*\.)geo(?:metry|graphy)\b/.exec(type)?.[1] ?? ''
  const x = `${schema}st_x(center)`
  const y = `${schema}st_y(center)`
  return `(select coalesce(${schema}st_translate(shape, ${float(x)} - ${x}, ${float(y)} - ${y}), shape)
    from (select shape, ${schema}st_centroid(shape) from (select ${original}::${schema}geometry offset 0) as found(shape) offset 0)
      as made(shape, center))`
}

/** Shifts the dates of a row 1 to 365 days into the past, so that none is in the future. */
export const shiftDate = (original: string, { dates }: { dates: readonly string[] }): string =>
  `(${original} - (1 + ${numberOf(`concat_ws(' ', 'date', ${dates.map(date => `${date}::text`).join()})`)} % 365) * interval '24 hours')`
