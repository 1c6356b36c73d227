import { parseDuration } from '#base/duration'
import type { ProcessReport } from './job-plan.ts'
import type { LogLine } from './process.ts'
import { type Violation, violation } from './violation.ts'

const noSilence = 'no more than 5 s go by without a line, or a line that named the wait'
const namedFirst = 'a rest is named when it begins'

/** Milliseconds without a line that look normal. */
const bearable = 5000

/** Milliseconds after a line of a wait in which the next one comes. */
const betweenLines = 37_000

/** Durations in a log are rounded: to a second above 10 s. */
const rounding = 1000

interface Span {
  from: number
  until: number
}

/** The announced silence of a log line: the length of a rest, or the interval of a wait. */
function announced({ line }: LogLine): number {
  const [, upTo, named] =
    /\b(?:waiting (up to )?|again in |retrying in |check in )((?:\d+h )?(?:\d+m )?\d+(?:\.\d)?s\b)/.exec(
      line,
    ) ?? []
  const pace = line.startsWith('[') ? betweenLines : 0
  if (named === undefined) return pace
  const [, rest = '', seconds = '0', tenth = '0'] = /^(.*?)(\d+)(?:\.(\d))?s$/.exec(named) ?? []
  const whole = parseDuration(`${rest.replaceAll(' ', '')}${seconds}s`) ?? 0
  const length = whole + Number(tenth) * 100 + rounding
  return upTo ? Math.min(length, betweenLines) : Math.max(length, pace)
}

const overlap = (one: Span, other: Span): Span => ({
  from: Math.max(one.from, other.from),
  until: Math.min(one.until, other.until),
})

/** The parts of a span that none of the others covers. */
function without(span: Span, others: Span[]): number {
  const covering = others
    .map(other => overlap(span, other))
    .filter(({ from, until }) => from < until)
    .sort((one, other) => one.from - other.from)
  let end = span.from
  let bare = 0
  for (const { from, until } of covering) {
    bare += Math.max(0, from - end)
    end = Math.max(end, until)
  }
  return bare + Math.max(0, span.until - end)
}

/** The waits that a process both announced in its log and noted for its summary. */
function namedWaits({ log, waits }: ProcessReport): Span[] {
  return log.flatMap(line => {
    const told = { from: line.at, until: line.at + announced(line) }
    return waits.map(wait => overlap(told, wait)).filter(({ from, until }) => from < until)
  })
}

/** A waiting process logs this: readers of its log need not guess whether it is alive. */
export function checkSilence(name: string, report: ProcessReport): Violation[] {
  const { startedAt, endedAt, log } = report
  const moments = [startedAt, ...log.map(({ at }) => at), endedAt]
  const named = namedWaits(report)
  const silences = moments.slice(1).flatMap((until, index) => {
    const span = { from: moments[index] ?? startedAt, until }
    const isLong = until - span.from > bearable && without(span, named) > bearable
    return isLong ? [violation(noSilence, `${name} says nothing from ${span.from} to ${until}`)] : []
  })
  // Such a line reports a late answer. A process that only rests has announced that before.
  const afterwards = log.filter((sign, index) => {
    const what = /^still (?:waiting )?(.+)$/.exec(sign.line)?.[1]
    const wasNamed = log
      .slice(0, index)
      .some(({ line }) => line.startsWith('waiting ') && line.includes(what ?? ''))
    return what !== undefined && !sign.isAsking && !wasNamed
  })
  return [
    ...silences,
    ...afterwards.map(({ at, line }) => violation(namedFirst, `${name} at ${at}: ${line}`)),
  ]
}
