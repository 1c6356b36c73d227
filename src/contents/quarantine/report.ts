import { renderSeconds } from '../../base/duration.ts'
import type { Kind } from './keep-active.ts'

/** An object of the fork that acts by itself, lets somebody in, or reaches out. */
export interface Item {
  /** Tells it from all others of the service, also from a later one of the same name. */
  id: string
  kind: Kind
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

const kinds = Object.keys(words) as Kind[]

function renderCounts(items: readonly Item[]): string {
  const counts = kinds.flatMap(kind => {
    const count = items.filter(item => item.kind === kind).length
    return count === 0 ? [] : [`${count} ${words[kind][count === 1 ? 0 : 1]}`]
  })
  return counts.join(', ') || 'nothing'
}

const renderItem = ({ kind, name, database }: Item) =>
  `${words[kind][0]} ${name}${database && ` in ${database}`}`

function renderRun({ job, database, times, before }: EarlierRun): string {
  const ago = `${renderSeconds(before)} before the quarantine`
  const when = times === 1 ? `once, ${ago}` : `${times === null ? '' : `${times} times, `}last ${ago}`
  return `${job} in ${database} ran ${when}`
}

export const renderUndone = ({ what, reason, next }: Undone) =>
  `not quarantined: ${what}: ${reason} — ${next}`

/** One line for the log and the comment. */
export const renderQuarantine = ({ quarantined, undone }: QuarantineReport): string =>
  `quarantined: ${renderCounts(quarantined)}${undone.length > 0 ? `; not done: ${undone.length}` : ''}`

/** All that the report says, a line each, the most urgent first. */
export function renderDetails(report: QuarantineReport): string[] {
  const { quarantined, kept, undone, ran, callers, remarks } = report
  return [
    ...undone.map(renderUndone),
    ...remarks,
    ...ran.map(renderRun),
    ...quarantined.map(item => `quarantined: ${renderItem(item)}`),
    ...kept.map(item => `kept active: ${renderItem(item)}`),
    ...callers.map(({ database, name }) => `can call out: ${name} in ${database}`),
  ]
}
