/** Which records of a list somebody wants to read. */
export type RecordFilter = (record: Record<string, unknown>) => boolean

/**
 * The text of a list without the records that nobody wants to read; any other text as it is. What is no record at all
 * stays in: reading it fails, as it should. Of 10,000 services, reading takes ten times as long as parsing.
 */
export function shortenList(body: string, only: RecordFilter): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (!Array.isArray(parsed)) return body
    return JSON.stringify(parsed.filter(item => typeof item !== 'object' || item === null || only(item)))
  } catch {
    // No JSON, or too deep to be written again: whoever reads it says so.
    return body
  }
}
