/** Reads and writes the sections of a comment. */
import type { ShownLoss } from '#contents/rehearsal/result/losses'

const marker = '<!-- managed-database-action:preview:'

/** The first line of the action's comments: invisible, and different for each preview. */
export function renderMarker(name: string): string {
  // Encoded, so that no name can end the HTML comment.
  return `${marker}${encodeURIComponent(name.toWellFormed())} -->`
}

/** Whether the comment has the marker of the preview. */
export function hasMarker(body: string, name: string): boolean {
  return body.split('\n', 1)[0]?.trim() === renderMarker(name)
}

/** Whether the comment has the marker of any preview. */
export const hasAnyMarker = (body: string) => body.trimStart().startsWith(marker)

/** The sections of a comment; each job writes one of them. */
export type SectionName = 'database' | 'migrations'

/** The contents of a comment below its first line. */
interface Sections {
  /** Empty before a job writes it. */
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

/** A new text for a section. */
export interface SectionText {
  section: SectionName
  text: string
  /** The effect on the migrations section of writing the database section. */
  migrations?: 'stays' | 'is folded' | 'goes'
}

/** The hash of a loss in the comment, and the time since which it is shown, if recorded. */
const shownHash = /^<!-- managed-database-action:migration:([0-9a-f]{64})(?::([\dTZ:.-]+))? -->$/m
/** The preview with the loss, in the line below. */
const shownService = /^<!-- managed-database-action:of:(\S+) -->$/m

/**
 * The lines that bind an approval to a loss. The next writer of the comment adds the time since which they are shown.
 */
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
 * The loss that a comment shows, and the time since when.
 * @param changedAt when the comment was last changed, by GitHub's clock
 */
export const readShownHash = (body: string, changedAt: string) =>
  readLoss(parseSections(body).migrations ?? '', changedAt)

const withoutLoss = (text: string) => text.replace(shownHash, '').replace(shownService, '').trim()

/**
 * Adds the time since which the comment shows the loss in the text; other changes do not affect it. A text
 * without a loss keeps the shown one until there is a new database.
 */
function keepLoss(text: string, body: string, changedAt: string): string {
  const before = readShownHash(body, changedAt)
  const loss = readLoss(text, '') ?? before
  if (loss === undefined) return text
  return `${renderShownLoss(loss, loss.hash === before?.hash ? before.since : '')}\n${withoutLoss(text)}`
}

/** Whether a comment already has this text in its section. */
export function hasSection(body: string, { section, text }: SectionText): boolean {
  const found = parseSections(body)[section]
  if (found === undefined) return false
  const [now, wanted] = [readLoss(found, ''), readLoss(text, '')]
  return withoutLoss(found) === withoutLoss(text) && (wanted === undefined || now?.hash === wanted.hash)
}

/** Whether there is a section of another job. */
export const hasOther = (body: string, { section }: SectionText) =>
  section === 'database' ? parseSections(body).migrations !== undefined : parseSections(body).database !== ''

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

/** Joins simultaneous comments into one: sections missing in the first come from the next. */
export function joinSections(name: string, bodies: string[]): string {
  const all = bodies.map(parseSections)
  const migrations = all.find(one => one.migrations !== undefined)
  return renderSections(name, {
    database: all.find(one => one.database !== '')?.database ?? '',
    migrations: migrations?.migrations,
    isFolded: migrations?.isFolded ?? false,
  })
}
