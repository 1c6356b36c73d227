/** The table of an answer that is a list, by the columns of its endpoint. */
import type { Endpoint } from '#api/endpoint'
import { type Table, table } from '#base/report'
import { isRecord } from '#base/unknown-values'

function cellOf(entry: unknown, column: string): string {
  const value = column
    .split('.')
    .reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), entry)
  return String(value ?? '')
}

const lastWord = (column: string) => column.split('.').at(-1) ?? column

/**
 * The rows of a list for readers; undefined if the endpoint returns no list. Texts are the server's, not escaped yet.
 */
export function listedRows({ lists }: Endpoint, answer: unknown): Table | undefined {
  const entries = lists?.entriesOf ? lists.entriesOf(answer) : answer
  if (lists === undefined || !Array.isArray(entries)) return undefined
  const { columns, noun } = lists
  // Older servers answer with texts.
  const areTexts = entries.length > 0 && entries.every(entry => !isRecord(entry))
  if (areTexts)
    return table(
      columns.slice(-1),
      entries.map(entry => [String(entry)]),
      { noun },
    )
  return table(
    columns.map(lastWord),
    entries.map(entry => columns.map(column => cellOf(entry, column))),
    { noun },
  )
}
