/** The report of a quarantine: plain data, and its text in logs and summaries. */
import * as z from 'zod/mini'
import { cap, counted } from '#base/bytes'
import { renderSeconds } from '#base/duration'
import { type Block, details, line, list } from '#base/report'
import { storedObject } from '#base/stored'
import { kinds } from './keep-active.ts'

/** An object of the fork that acts by itself, lets users log in, or connects to other servers. */
const item = storedObject({
  /** Unique in the service, also among later objects of the same name. */
  id: z.string(),
  /** A `Kind`, unless another release stored the report. */
  kind: z.string(),
  name: z.string(),
  /** Empty for a login, which belongs to all databases. */
  database: z.string(),
})

/** A failure to disable an object, or to search a database. */
const failure = storedObject({
  /** Undefined if the failure is about a whole database. */
  item: z.optional(item),
  what: z.string(),
  reason: z.string(),
  /** The next step: an imperative sentence without a full stop. */
  next: z.string(),
})

const earlierRun = storedObject({
  job: z.string(),
  database: z.string(),
  /** The number of runs; null if the database keeps no history. */
  times: z.nullable(z.number()),
  /** Milliseconds from the start of the last run to the quarantine. */
  before: z.number(),
})

/** An object that can reach beyond the database, and is not disabled: an extension, or a function by its signature. */
const caller = storedObject({ database: z.string(), name: z.string() })

export const reportSchema = storedObject({
  /** Milliseconds since 1970, by the clock of the database. */
  at: z.number(),
  quarantined: z.array(item),
  /** Still active, as `keep_active` requests. */
  kept: z.array(item),
  undone: z.array(failure),
  /** The runs of jobs before the quarantine. */
  ran: z.array(earlierRun),
  callers: z.array(caller),
  /** Hints for the author of `keep_active`. */
  remarks: z.array(z.string()),
})

export type Item = z.infer<typeof item>
export type QuarantineFailure = z.infer<typeof failure>
export type EarlierRun = z.infer<typeof earlierRun>
export type Caller = z.infer<typeof caller>
export type QuarantineReport = z.infer<typeof reportSchema>

/** The noun for a kind. Of a foreign server, a quarantine drops the user mappings. */
export const nounOf = (kind: string) => (kind === 'foreign-server' ? 'user mapping' : kind)

const groupByKind = (items: readonly Item[]) =>
  kinds.map(kind => ({ noun: nounOf(kind), objects: items.filter(item => item.kind === kind) }))

const groupByDatabase = <Row extends Caller>(rows: readonly Row[]) => [
  ...Map.groupBy(rows, ({ database }) => database),
]

const renderNames = (group: readonly Caller[]) => cap(group.map(({ name }) => name)).join(', ')

/** A line for each kind in each database: `quarantined jobs in tsdb: send_mail, refresh_daily`. */
const renderItems = (state: string, items: readonly Item[]) =>
  groupByKind(items).flatMap(({ noun, objects }) =>
    groupByDatabase(objects).map(([database, group]) => {
      const title = `${state} ${noun}${group.length === 1 ? '' : 's'}${database && ` in ${database}`}`
      return `${title}: ${renderNames(group)}`
    }),
  )

const renderCallers = (callers: readonly Caller[]) =>
  groupByDatabase(callers).map(([database, group]) => `can call out from ${database}: ${renderNames(group)}`)

function renderRun({ job, database, times, before }: EarlierRun): string {
  const ago = `${renderSeconds(before)} before the quarantine`
  if (times === 1) return `${job} in ${database} ran once, ${ago}`
  const count = times === null ? '' : `${times} times, `
  return `${job} in ${database} ran ${count}last ${ago}`
}

export const renderFailure = ({ what, reason, next }: QuarantineFailure) =>
  `not quarantined: ${what}: ${reason} — ${next}`

/** The numbers of disabled objects and failures: `3 jobs, 2 logins; not done: 1`. */
export function renderQuarantine({ quarantined, undone }: QuarantineReport): string {
  const kindsFound = groupByKind(quarantined).filter(({ objects }) => objects.length > 0)
  const counts = kindsFound.map(({ noun, objects }) => counted(objects.length, noun)).join(', ')
  if (undone.length > 0) return `${counts || 'nothing'}; not done: ${undone.length}`
  return counts || 'nothing to disable'
}

export const renderRuns = ({ ran }: QuarantineReport): string[] => cap(ran.map(renderRun))

/** Failures, hints for `keep_active`, and jobs that already ran. */
export const renderProblems = (report: QuarantineReport): string[] => [
  ...cap(report.undone.map(renderFailure)),
  ...cap(report.remarks),
  ...renderRuns(report),
]

/** The other contents of the report: disabled objects, kept objects and callers. */
export const renderDetails = ({ quarantined, kept, callers }: QuarantineReport): string[] => [
  ...cap(renderItems('quarantined', quarantined)),
  ...cap(renderItems('kept', kept)),
  ...cap(renderCallers(callers)),
]

export const reportQuarantine = (report: QuarantineReport | undefined): Block[] =>
  report === undefined
    ? []
    : [
        line(`Quarantined: ${renderQuarantine(report)}`),
        list(renderProblems(report)),
        details('Quarantined objects', list(renderDetails(report))),
      ]
