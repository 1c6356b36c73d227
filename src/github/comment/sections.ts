import type { ShownLoss } from '#contents/rehearsal/result/losses'

const marker = '<!-- managed-database-action:preview:'

/** The first line of our comments: invisible, and different for each preview. */
export function renderMarker(name: string): string {
  // Encoded, so that no name can end the HTML comment.
  return `${marker}${encodeURIComponent(name.toWellFormed())} -->`
}

/** Whether the text of a comment has our marker for the preview. */
export function hasMarker(body: string, name: string): boolean {
  return body.split('\n', 1)[0]?.trim() === renderMarker(name)
}

/** Whether the text of a comment has our marker for any preview. */
export const isOurs = (body: string) => body.trimStart().startsWith(marker)

/** The parts of a comment that are written by different jobs. */
export type SectionName = 'database' | 'migrations'

/** What stands in a comment below its first line. */
interface Sections {
  /** Empty where no job has written of the database yet. */
  database: string
  migrations: string | undefined
  isFolded: boolean
}

const opening = '<!-- managed-database-action:migrations -->'
const closing = '<!-- managed-database-action:end -->'
const fold = ['<details><summary>Migrations</summary>', '</details>'] as const

function parseSections(body: string): Sections {
  const [, ...lines] = body.replaceAll('\r\n', '\n').trimEnd().split('\n')
  const from = lines.indexOf(opening)
  const to = lines.lastIndexOf(closing)
  if (from < 0 || to < from)
    return { database: lines.join('\n').trim(), migrations: undefined, isFolded: false }
  const within = lines.slice(from + 1, to)
  const isFolded = within[0] === fold[0]
  return {
    database: lines.slice(0, from).join('\n').trim(),
    migrations: (isFolded ? within.slice(1, -1) : within).join('\n').trim(),
    isFolded,
  }
}

function renderSections(name: string, { database, migrations, isFolded }: Sections): string {
  const shown = migrations && (isFolded ? [fold[0], migrations, fold[1]].join('\n\n') : migrations)
  const lines = [database, shown && [opening, shown, closing].join('\n')].filter(Boolean)
  return `${renderMarker(name)}\n${lines.join('\n\n')}\n`
}

/** A section of a comment as it is to be from now on. */
export interface SectionText {
  section: SectionName
  text: string
  /** What becomes of the section on migrations, where the one on the database is written. */
  migrations?: 'stays' | 'is folded' | 'goes'
}

/** The hash of a loss as the comment shows it, and since when, where that is written there. */
const shownHash = /^<!-- managed-database-action:migration:([0-9a-f]{64})(?::([\dTZ:.-]+))? -->$/m
/** The preview that lost it, in the line below. */
const shownService = /^<!-- managed-database-action:of:(\S+) -->$/m

/** The lines that bind an approval to a loss. Since when they stand there is added by the next who writes the comment. */
export const renderShownLoss = ({ hash, serviceId }: ShownLoss, since = '') =>
  [
    `<!-- managed-database-action:migration:${hash}${since && `:${since}`} -->`,
    ...(serviceId === undefined
      ? []
      : [`<!-- managed-database-action:of:${encodeURIComponent(serviceId.toWellFormed())} -->`]),
  ].join('\n')

function readLoss(text: string, changedAt: string): (ShownLoss & { since: string }) | undefined {
  const [, hash, since = changedAt] = shownHash.exec(text) ?? []
  const [, serviceId] = shownService.exec(text) ?? []
  return hash === undefined ? undefined : { hash, since, serviceId }
}

/**
 * The loss that a comment shows, and since when it does.
 *
 * @param changedAt when the comment was last changed, by GitHub's clock
 */
export const readShownHash = (body: string, changedAt: string) =>
  readLoss(parseSections(body).migrations ?? '', changedAt)

const withoutLoss = (text: string) => text.replace(shownHash, '').replace(shownService, '').trim()

/**
 * The text, with the moment since when the comment shows the loss that is in it: a change of anything else leaves that. A text
 * without a loss keeps the one that the comment shows: only a new database ends it.
 */
function keepLoss(text: string, body: string, changedAt: string): string {
  const before = readShownHash(body, changedAt)
  const loss = readLoss(text, '') ?? before
  if (loss === undefined) return text
  return `${renderShownLoss(loss, loss.hash === before?.hash ? before.since : '')}\n${withoutLoss(text)}`
}

/** Whether a comment shows the section as it is to be. */
export function hasSection(body: string, { section, text }: SectionText): boolean {
  const found = parseSections(body)[section]
  if (found === undefined) return false
  const [now, wanted] = [readLoss(found, ''), readLoss(text, '')]
  return withoutLoss(found) === withoutLoss(text) && (wanted === undefined || now?.hash === wanted.hash)
}

/** Whether there is a section that another job writes. */
export const hasOther = (body: string, { section }: SectionText) =>
  section === 'database' ? parseSections(body).migrations !== undefined : parseSections(body).database !== ''

/** The comment with one section replaced, and the other as it was. */
export function replaceSection(
  { body, changedAt }: { body: string; changedAt: string },
  name: string,
  { section, text, migrations: fate = 'stays' }: SectionText,
): string {
  const found = parseSections(body)
  if (section === 'migrations')
    return renderSections(name, { ...found, migrations: keepLoss(text.trim(), body, changedAt) })
  const stays = fate === 'goes' ? undefined : found.migrations && keepLoss(found.migrations, body, changedAt)
  return renderSections(name, {
    database: text.trim(),
    migrations: stays,
    isFolded: fate === 'is folded',
  })
}

/** The sections of several comments that were made in the same moment as one: what the first lacks is taken from the next. */
export function joinSections(name: string, bodies: string[]): string {
  const all = bodies.map(parseSections)
  const migrations = all.find(one => one.migrations !== undefined)
  return renderSections(name, {
    database: all.find(one => one.database !== '')?.database ?? '',
    migrations: migrations?.migrations,
    isFolded: migrations?.isFolded ?? false,
  })
}
