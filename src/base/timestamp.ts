/**
 * Parses timestamps of records and dates of HTTP headers. Each function checks the format before it calls Date.parse,
 * which finds a date in almost any text with a number: "x 2026" is New Year's Day. With such a date, a preview would
 * seem months old and might be deleted.
 */

const validOrNone = (date: number) => (Number.isNaN(date) ? undefined : date)

/**
 * The timestamp of a record, in milliseconds since 1970; undefined for any other text. The API and GitHub use
 * RFC 3339 section 5.6, which the specification calls `date-time`.
 */
export function parseTimestamp(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const isTimestamp = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
  return isTimestamp ? validOrNone(Date.parse(text)) : undefined
}

const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? [\w -]{6,11} \d\d:\d\d:\d\d(?: GMT| \d{4})$/

/** The date of a header (RFC 9110 section 5.6.7), in milliseconds since 1970; undefined for any other text. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const date = text?.trim() ?? ''
  // All three formats are in GMT; the last one does not contain it.
  return httpDate.test(date) ? validOrNone(Date.parse(`${date.replace(/ GMT$/, '')} GMT`)) : undefined
}
