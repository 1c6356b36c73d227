/** Decides from the types of a column and the statement whether a conversion keeps every value. */

/** Splits a type of `format_type` into its name and the numbers in parentheses. */
function parseType(type: string): { name: string; limits: number[] } {
  const [, inner] = /\(([\d,]+)\)/.exec(type) ?? []
  return { name: type.replace(/\([\d,]+\)/, ''), limits: inner?.split(',').map(Number) ?? [] }
}

/** The casts that keep every value or fail (PostgreSQL documentation, chapter 8). Text without a limit keeps all types. */
const losslessCasts: Record<string, readonly string[]> = {
  smallint: ['integer', 'bigint', 'numeric', 'real', 'double precision'],
  integer: ['bigint', 'numeric', 'double precision'],
  bigint: ['numeric'],
  real: ['double precision'],
  date: ['timestamp without time zone', 'timestamp with time zone'],
  'timestamp without time zone': ['timestamp with time zone'],
  'time without time zone': ['interval'],
  boolean: ['integer'],
  character: ['character varying'],
  cidr: ['inet'],
  jsonb: ['json'],
}

const isText = (type: string) => type === 'text' || type === 'character varying'

/** A type without numbers has no limit. A smaller scale cuts digits off. */
function isShortened(before: number[], after: number[]): boolean {
  if (after.length === 0) return false
  if (before.length === 0) return true
  const whole = (limits: number[]) => (limits[0] ?? 0) - (limits[1] ?? 0)
  return whole(after) < whole(before) || (after[1] ?? 0) < (before[1] ?? 0)
}

/** True if a cast between two types keeps every value or fails. */
export function keepsValues(before: string, after: string): boolean {
  const from = parseType(before)
  const to = parseType(after)
  if (isText(after)) return true
  if (from.name === to.name || (isText(from.name) && isText(to.name)))
    return !isShortened(from.limits, to.limits)
  return to.limits.length === 0 && losslessCasts[from.name]?.includes(to.name) === true
}

/** True if the text of the values depends on the session's time zone. */
export const dependsOnZone = (before: string, after: string): boolean =>
  [before, after].some(type => type.endsWith('with time zone'))

/** Matches `ALTER c TYPE t USING e`, up to the next action. */
const conversion =
  /\balter\s+(?:column\s+)?("[^"]+"|[\w$]+)\s+(?:set\s+data\s+)?type\b([^;]*?)(?=;|$|,\s*(?:alter|add|drop)\b)/gi

const simplify = (text: string) => text.toLowerCase().replace(/[\s"()]/g, '')

/** The new type and the expression of each conversion of a column in a statement. */
const findConversions = (sql: string, column: string) =>
  [...sql.matchAll(conversion)]
    .filter(([, name = '']) => simplify(name) === simplify(column))
    .map(([, , rest = '']) => rest.split(/\busing\b(.*)/is).map(simplify))

/** True if a statement converts a column by more than a cast to the new type. */
export const usesExpression = (sql: string, column: string): boolean =>
  findConversions(sql, column).some(([type, expression]) => {
    const name = simplify(column)
    const casts = [undefined, name, `${name}::${type}`, `cast${name}as${type}`]
    return !(casts.includes(expression) || expression?.startsWith(`${name}attimezone'`))
  })

/** True if a statement changes the type of a column. */
export const converts = (sql: string, column: string): boolean => findConversions(sql, column).length > 0
