/** The timeline of a step: its longest spans, in order. */
import type { Timeline, TimeSpan } from '#operations/base/outcome'

type Row = Pick<TimeSpan, 'name' | 'from' | 'until'>

/** Lower limits for the duration of work that is shown: a share of the total, and milliseconds. */
const visible = { share: 0.01, least: 500 }

/** A run that deletes hundreds of previews waits hundreds of times: only the longest spans are shown. */
const mostRows = 30

/** The statuses during a wait, each with its duration. The first one starts when it was observed. */
const statusRows = ({ from, until, watched }: TimeSpan, prefix: string): Row[] =>
  (watched?.history ?? []).map(({ status, at }, index, history) => {
    const next = history[index + 1]?.at
    return {
      name: `${prefix}${status}`,
      from: from + at,
      until: Math.max(from + at, next === undefined ? until : from + next),
    }
  })

const isWithin = (inner: TimeSpan, outer: TimeSpan) =>
  inner !== outer && inner.from >= outer.from && inner.until <= outer.until

/** The spans, ordered by start. A wait with statuses has a row for each, with the id if there are several records. */
export function timelineRows({ spans, milliseconds }: Timeline): Row[] {
  const ids = new Set(spans.flatMap(({ watched }) => watched?.id ?? []))
  const isLong = ({ from, until }: TimeSpan) =>
    until - from >= Math.max(milliseconds * visible.share, visible.least)
  // Of nested spans only the innermost is shown: the span of a connection lasts as long as the work in it.
  const isInnermost = (span: TimeSpan) =>
    isLong(span) &&
    !spans.some(
      other =>
        (other.isWait && isWithin(span, other)) || (!other.isWait && isLong(other) && isWithin(other, span)),
    )
  const rows = spans.flatMap(span => {
    const { watched } = span
    if (watched?.history.length) return statusRows(span, ids.size > 1 ? `${watched.id} ` : '')
    return span.isWait || isInnermost(span) ? [span] : []
  })
  const lengthOf = ({ from, until }: Row) => until - from
  const longestFirst = rows.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  return longestFirst.slice(0, mostRows).sort((one, other) => one.from - other.from)
}
