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
  /** Empty until a job writes it. */
  database: string
  migrations: string | undefined
  isFolded: boolean
}

const opening = '<!-- managed-database-action:migrations -->'
const closing = '<!-- managed-database-action:end -->'
const foldTags = ['<details><summary>Migrations</summary>', '</details>'] as const

function parseSections(body: string): Sections {
  const [, ...lines] = body.replaceAll('\r\n', '\n').trimEnd().split('\n')
  const from = lines.indexOf(opening)
  const to = lines.lastIndexOf(closing)
  if (from < 0 || to < from)
    return { database: lines.join('\n').trim(), migrations: undefined, isFolded: false }
  const within = lines.slice(from + 1, to)
  const isFolded = within[0] === foldTags[0]
  return {
    database: lines.slice(0, from).join('\n').trim(),
    migrations: (isFolded ? within.slice(1, -1) : within).join('\n').trim(),
    isFolded,
  }
}

function renderSections(name: string, { database, migrations, isFolded }: Sections): string {
  const shown = migrations && (isFolded ? [foldTags[0], migrations, foldTags[1]].join('\n\n') : migrations)
  const lines = [database, shown && [opening, shown, closing].join('\n')].filter(Boolean)
  return `${renderMarker(name)}\n${lines.join('\n\n')}\n`
}

export interface SectionText {
  section: SectionName
  text: string
  /** The effect on the migrations section of writing the database section. */
  migrations?: 'stays' | 'is folded' | 'goes'
}

/** The hash of a loss in the comment and, if recorded, the time when the comment first showed it. */
const shownHash = /^<!-- managed-database-action:migration:([0-9a-f]{64})(?::([\dTZ:.-]+))? -->$/m
/** The service of the preview with the loss, in the next line. */
const shownService = /^<!-- managed-database-action:of:(\S+) -->$/m

/** Invisible lines that name the shown loss, for its approval. The next write adds the time when it was first shown. */
export const renderShownLoss = ({ hash, serviceId }: ShownLoss, since = '') =>
  [
    `<!-- managed-database-action:migration:${hash}${since && `:${since}`} -->`,
    ...(serviceId === undefined
      ? []
      : [`<!-- managed-database-action:of:${encodeURIComponent(serviceId.toWellFormed())} -->`]),
  ].join('\n')

function parseLoss(text: string, changedAt: string): (ShownLoss & { since: string }) | undefined {
  const [, hash, since = changedAt] = shownHash.exec(text) ?? []
  const [, serviceId] = shownService.exec(text) ?? []
  return hash === undefined ? undefined : { hash, since, serviceId }
}

/** The loss that a comment shows, and since when. @param changedAt when the comment last changed, by GitHub's clock */
export const parseShownLoss = (body: string, changedAt: string) =>
  parseLoss(parseSections(body).migrations ?? '', changedAt)

const withoutLoss = (text: string) => text.replace(shownHash, '').replace(shownService, '').trim()

/**
 * Adds the time when the comment first showed the loss, which other changes do not affect. If the new text has no loss,
 * keeps the one in the comment. A new database removes it.
 */
function keepLoss(text: string, body: string, changedAt: string): string {
  const before = parseShownLoss(body, changedAt)
  const loss = parseLoss(text, '') ?? before
  if (loss === undefined) return text
  return `${renderShownLoss(loss, loss.hash === before?.hash ? before.since : '')}\n${withoutLoss(text)}`
}

/** Whether a comment already has this text in its section. */
export function hasSection(body: string, { section, text }: SectionText): boolean {
  const found = parseSections(body)[section]
  if (found === undefined || withoutLoss(found) !== withoutLoss(text)) return false
  const wantedLoss = parseLoss(text, '')
  return wantedLoss === undefined || parseLoss(found, '')?.hash === wantedLoss.hash
}

/** Whether the comment has the section that other jobs write. */
export const hasOtherSection = (body: string, { section }: SectionText) =>
  section === 'database' ? parseSections(body).migrations !== undefined : parseSections(body).database !== ''

export function replaceSection(
  { body, changedAt }: { body: string; changedAt: string },
  name: string,
  { section, text, migrations: effect = 'stays' }: SectionText,
): string {
  const found = parseSections(body)
  if (section === 'migrations')
    return renderSections(name, { ...found, migrations: keepLoss(text.trim(), body, changedAt) })
  const keptMigrations =
    effect === 'goes' ? undefined : found.migrations && keepLoss(found.migrations, body, changedAt)
  return renderSections(name, {
    database: text.trim(),
    migrations: keptMigrations,
    isFolded: effect === 'is folded',
  })
}

/** Joins several comments into one: each section comes from the first comment that has it. */
export function joinSections(name: string, bodies: string[]): string {
  const all = bodies.map(parseSections)
  const migrations = all.find(sections => sections.migrations !== undefined)
  return renderSections(name, {
    database: all.find(sections => sections.database !== '')?.database ?? '',
    migrations: migrations?.migrations,
    isFolded: migrations?.isFolded ?? false,
  })
}
