/** A type as `format_type` writes it, without and with what stands in parentheses. */
function parse(type: string): { name: string; limits: number[] } {
  const [, inner] = /\(([\d,]+)\)/.exec(type) ?? []
  const name = type.replace(/\([\d,]+\)/, '')
  return { name, limits: inner === undefined ? [] : inner.split(',').map(Number) }
}

/** From the narrowest to the widest: each holds all values of those before it. */
const families = [
  ['smallint', 'integer', 'bigint', 'numeric', 'text'],
  ['real', 'double precision', 'text'],
  ['date', 'timestamp without time zone', 'text'],
  ['date', 'timestamp with time zone', 'text'],
  ['time without time zone', 'timestamp without time zone'],
  ['time without time zone', 'timestamp with time zone'],
  ['boolean', 'text'],
  ['integer', 'double precision'],
  ['bigint', 'double precision'],
  ['character', 'character varying', 'text'],
]

/** Without a limit there is none; a scale that shrinks cuts digits off. */
function isShortened(before: number[], after: number[]): boolean {
  if (after.length === 0) return false
  if (before.length === 0) return true
  const whole = (limits: number[]) => (limits[0] ?? 0) - (limits[1] ?? 0)
  return whole(after) < whole(before) || (after[1] ?? 0) < (before[1] ?? 0)
}

/** Whether a type holds less than the one before it, by what is known of the types of the server. */
export function isNarrowed(before: string, after: string): boolean {
  const [one, other] = [parse(before), parse(after)]
  if (one.name === other.name) return isShortened(one.limits, other.limits)
  const isNarrower = families.some(
    family =>
      family.includes(one.name) &&
      family.indexOf(other.name) >= 0 &&
      family.indexOf(other.name) < family.indexOf(one.name),
  )
  if (isNarrower) return true
  const areTexts = [one, other].every(({ name }) => /^(?:text|character)/.test(name))
  return areTexts && isShortened(one.limits, other.limits)
}
