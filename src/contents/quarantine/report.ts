import { renderSeconds } from '#base/duration'
import { type Block, details, line, list } from '#base/report'
import { type Kind, kinds } from './keep-active.ts'

/** An object of the fork that acts by itself, lets somebody in, or reaches out. */
export interface Item {
  /** Tells it from all others of the service, also from a later one of the same name. */
  id: string
  /** A `Kind`, unless another release stored the report. */
  kind: string
  name: string
  /** Where it is; empty for a login, which is of all databases. */
  database: string
}

/** What could not be done. */
export interface Undone {
  /** The object that it is about; undefined where it is about a whole database. */
  item?: Item | undefined
  what: string
  reason: string
  /** What to do next: an imperative sentence without full stop. */
  next: string
}

/** A job that ran in the fork before the quarantine. */
export interface EarlierRun {
  job: string
  database: string
  /** How often; null where the database keeps no history. */
  times: number | null
  /** Milliseconds from the start of the last run to the quarantine. */
  before: number
}

/** What can reach beyond the database, and is left alone. */
export interface Caller {
  database: string
  /** An extension, or a function by its signature. */
  name: string
}

/** What a quarantine did and found. Plain data, to be kept and shown. */
export interface QuarantineReport {
  /** Milliseconds since 1970, by the clock of the database. */
  at: number
  quarantined: Item[]
  /** Still active, as `keep_active` asks. */
  kept: Item[]
  undone: Undone[]
  ran: EarlierRun[]
  callers: Caller[]
  /** Sentences for whoever wrote `keep_active`. */
  remarks: string[]
}

/** One and several. */
const words: Record<Kind, [string, string]> = {
  job: ['job', 'jobs'],
  login: ['login', 'logins'],
  subscription: ['subscription', 'subscriptions'],
  'foreign-server': ['user mapping', 'user mappings'],
}

function renderCounts(items: readonly Item[]): string {
  const counts = kinds.flatMap(kind => {
    const count = items.filter(item => item.kind === kind).length
    return count === 0 ? [] : [`${count} ${words[kind][count === 1 ? 0 : 1]}`]
  })
  return counts.join(', ')
}

/** How many of a sort are named. A database may have thousands. */
const mostNamed = 20

/** The first of them, and how many more there are. */
function cap(texts: readonly string[], most = mostNamed): string[] {
  const more = texts.length - most
  return more > 0 ? [...texts.slice(0, most), `and ${more} more`] : [...texts]
}

const inDatabase = (database: string) => database && ` in ${database}`

/** A line for each kind in each database: `quarantined jobs in tsdb: send_mail, refresh_daily`. */
function renderItems(what: string, items: readonly Item[]): string[] {
  return kinds.flatMap(kind => {
    const groups = Map.groupBy(
      items.filter(item => item.kind === kind),
      ({ database }) => database,
    )
    return [...groups].map(([database, group]) => {
      const word = words[kind][group.length === 1 ? 0 : 1]
      return `${what} ${word}${inDatabase(database)}: ${cap(group.map(({ name }) => name)).join(', ')}`
    })
  })
}

function renderCallers(callers: readonly Caller[]): string[] {
  const groups = Map.groupBy(callers, ({ database }) => database)
  return [...groups].map(
    ([database, group]) => `can call out from ${database}: ${cap(group.map(({ name }) => name)).join(', ')}`,
  )
}

function renderRun({ job, database, times, before }: EarlierRun): string {
  const ago = `${renderSeconds(before)} before the quarantine`
  const when = times === 1 ? `once, ${ago}` : `${times === null ? '' : `${times} times, `}last ${ago}`
  return `${job} in ${database} ran ${when}`
}

export const renderUndone = ({ what, reason, next }: Undone) =>
  `not quarantined: ${what}: ${reason} — ${next}`

/** How much was made harmless, and how much was not: `3 jobs, 2 logins; not done: 1`. */
export function renderQuarantine({ quarantined, undone }: QuarantineReport): string {
  const counts = renderCounts(quarantined)
  if (undone.length > 0) return `${counts || 'nothing'}; not done: ${undone.length}`
  return counts || 'nothing to disable'
}

/** What ran before the quarantine, a line each. */
export const renderRuns = ({ ran }: QuarantineReport): string[] => cap(ran.map(renderRun))

/** What did not go as wanted, a line each. */
export const renderTroubles = (report: QuarantineReport): string[] => [
  ...cap(report.undone.map(renderUndone)),
  ...cap(report.remarks),
  ...renderRuns(report),
]

/** All else that the report says: what was made harmless, and what was not. */
export const renderDetails = ({ quarantined, kept, callers }: QuarantineReport): string[] => [
  ...cap(renderItems('quarantined', quarantined)),
  ...cap(renderItems('kept', kept)),
  ...cap(renderCallers(callers)),
]

/** A quarantine as blocks of a report; none where there was no quarantine. */
export const reportQuarantine = (report: QuarantineReport | undefined): Block[] =>
  report === undefined
    ? []
    : [
        line(`Quarantined: ${renderQuarantine(report)}`),
        list(renderTroubles(report)),
        details('Quarantined objects', list(renderDetails(report))),
      ]
