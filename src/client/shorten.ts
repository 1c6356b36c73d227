/** Which records of a list somebody wants to read. */
export type RecordFilter = (record: Record<string, unknown>) => boolean

/**
 * The text of a list without the records that nobody wants to read. Any other text stays as it is, and so do items that
 * are not records: reading those fails, as it should. For 10,000 services, reading takes ten times as long as parsing.
 */
export function shortenList(body: string, only: RecordFilter): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (!Array.isArray(parsed)) return body
    return JSON.stringify(parsed.filter(item => typeof item !== 'object' || item === null || only(item)))
  } catch {
    // Not JSON, or nested too deeply to be written again: `readAnswer` reports that.
    return body
  }
}
