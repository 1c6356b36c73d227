/** The promise that a waiting process logs its waits. */
import { parseDuration } from '#base/duration'
import type { ProcessReport } from './job-plan.ts'
import type { LogLine } from './process.ts'
import { type Violation, violation } from './violation.ts'

const noSilence = 'a log is silent for at most 5 s, except during an announced wait'
const namedFirst = 'a wait is announced when it begins'

/** The longest silence in milliseconds that readers of a log accept. */
const longestSilence = 5000

/** The longest pause between two lines of a wait, in milliseconds. */
const betweenLines = 37_000

/** A log rounds durations above 10 s to a second. */
const rounding = 1000

interface Span {
  from: number
  until: number
}

/** The silence that a line announces: the length of a sleep, or the pace of a wait. */
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

/** The parts of a span outside all others. */
function uncoveredLength(span: Span, others: Span[]): number {
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

/** The waits in the log of a process that its summary contains as well. */
function namedWaits({ log, waits }: ProcessReport): Span[] {
  return log.flatMap(line => {
    const told = { from: line.at, until: line.at + announced(line) }
    return waits.map(wait => overlap(told, wait)).filter(({ from, until }) => from < until)
  })
}

/** A waiting process logs its wait, so readers of its log know that it is alive. */
export function checkSilence(name: string, report: ProcessReport): Violation[] {
  const { startedAt, endedAt, log } = report
  const moments = [startedAt, ...log.map(({ at }) => at), endedAt]
  const named = namedWaits(report)
  const silences = moments.slice(1).flatMap((until, index) => {
    const span = { from: moments[index] ?? startedAt, until }
    const isLong = until - span.from > longestSilence && uncoveredLength(span, named) > longestSilence
    return isLong ? [violation(noSilence, `${name} says nothing from ${span.from} to ${until}`)] : []
  })
  // Such a line reports a late answer. A process that only sleeps has announced that before.
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
