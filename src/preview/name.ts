import { createHash } from 'node:crypto'

/**
 * The parts of a preview's name that every run of its pull request, or of its entry of the merge queue, shares. Never
 * from a title or branch: those are untrusted text.
 */
export type PreviewBase = {
  prefix: string
  /** Tells repositories that share a project apart. */
  repositoryHash: string
} & PreviewSubject

/** What a preview is of; the other one is undefined. */
export type PreviewSubject =
  | { pullRequest: number; queueEntry?: undefined }
  /** The first digits of the commit that the merge queue checks. */
  | { pullRequest?: undefined; queueEntry: string }

/** All of a preview's name: the random part tells the runs of a pull request apart. */
export type PreviewName = PreviewBase & { random: string }

/** What names begin with where `name_prefix` is not given. */
export const usualPrefix = 'preview'

/** Characters of the random part. With it, the longest name has 63 characters. */
export const randomLength = 6

/** Digits of a commit: as many characters as the longest number of a pull request has. */
const entryLength = 10

const prefix = '([a-z](?:[a-z0-9-]{0,31}[a-z0-9])?)'
// Read from its end, a name is one of a pull request or of the merge queue, never both, whatever its prefix.
const base = `${prefix}-(?:pr-([1-9]\\d{0,9})|mq-([0-9a-f]{${entryLength}}))-([0-9a-f]{8})`
const baseGrammar = new RegExp(`^${base}$`)
const nameGrammar = new RegExp(`^(${base})-([a-z0-9]{${randomLength}})$`)

/** Whether a text may stand before `-pr-` in a preview's name. */
export function isPreviewPrefix(text: string): boolean {
  return parsePreviewBase(`${text}-pr-1-00000000`)?.prefix === text
}

/** 8 hexadecimal digits that stand for a repository; its id outlives a rename. */
export function hashRepository(repositoryId: string): string {
  return createHash('sha256').update(repositoryId).digest('hex').slice(0, 8)
}

/** What stands for an entry of the merge queue: the first digits of the commit that it checks. */
export const queueEntryOf = (sha: string) => sha.slice(0, entryLength)

/** The name without its random part, by which a preview is found: `preview-pr-12-0a1b2c3d`, `preview-mq-6dcb09b5b5-0a1b2c3d`. */
export function renderPreviewBase({ prefix, repositoryHash, ...subject }: PreviewBase): string {
  const middle = subject.queueEntry === undefined ? `pr-${subject.pullRequest}` : `mq-${subject.queueEntry}`
  return `${prefix}-${middle}-${repositoryHash}`
}

/** The parts of a name without its random part; undefined for a text that is not of our grammar. */
export function parsePreviewBase(text: string): PreviewBase | undefined {
  const [, prefix, pullRequest, queueEntry, repositoryHash] = baseGrammar.exec(text) ?? []
  if (prefix === undefined || repositoryHash === undefined) return undefined
  return queueEntry === undefined
    ? { prefix, pullRequest: Number(pullRequest), repositoryHash }
    : { prefix, queueEntry, repositoryHash }
}

/** The parts of a whole name, the random part included; undefined for a name that is not of our grammar. */
export function parsePreviewName(name: string): PreviewName | undefined {
  const [, start = '', ...groups] = nameGrammar.exec(name) ?? []
  const parts = parsePreviewBase(start)
  const random = groups.at(-1)
  return parts === undefined || random === undefined ? undefined : { ...parts, random }
}

/** A name without its random part, where it is a preview's. */
export function previewBaseOf(name: string): string | undefined {
  const parts = parsePreviewName(name)
  return parts && renderPreviewBase(parts)
}
