import { createHash } from 'node:crypto'
import type { Service } from '#api/records'

/**
 * The parts of a preview's name that all runs of its pull request (or merge queue entry) share. None comes from a title
 * or branch: those are untrusted text.
 */
export type PreviewBase = {
  prefix: string
  /** Tells repositories that share a project apart. */
  repositoryHash: string
} & PreviewSubject

/** What a preview belongs to: either a pull request or a merge queue entry. */
export type PreviewSubject =
  | { pullRequest: number; queueEntry?: undefined }
  /** The first digits of the commit that the merge queue checks. */
  | { pullRequest?: undefined; queueEntry: string }

/** The full name of a preview: the random part tells the runs of a pull request apart. */
export type PreviewName = PreviewBase & { random: string }

/** What names begin with if `name_prefix` is not given. */
export const usualPrefix = 'preview'

/** Characters of the random part. With it, the longest name has 63 characters. */
export const randomLength = 6

/** Digits of a commit in a name: as many as the longest pull request number has. */
const entryLength = 10

const prefix = '([a-z](?:[a-z0-9-]{0,31}[a-z0-9])?)'
// Matched at the end of the name, so that no prefix can make a name fit both.
const base = `${prefix}-(?:pr-([1-9]\\d{0,9})|mq-([0-9a-f]{${entryLength}}))-([0-9a-f]{8})`
const baseGrammar = new RegExp(`^${base}$`)
const nameGrammar = new RegExp(`^(${base})-([a-z0-9]{${randomLength}})$`)

/** Whether a text may stand before `-pr-` in a preview's name. */
export function isPreviewPrefix(text: string): boolean {
  return parsePreviewBase(`${text}-pr-1-00000000`)?.prefix === text
}

/**
 * 8 hexadecimal digits that stand for a repository; its id outlives a rename. Two servers may give the same id.
 *
 * @param server its host; undefined for github.com
 */
export function hashRepository(repositoryId: string, server?: string): string {
  const text = server === undefined ? repositoryId : `${server}/${repositoryId}`
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** The key of a merge queue entry: the first digits of the commit that it checks. */
export const queueEntryOf = (sha: string) => sha.slice(0, entryLength)

/**
 * The name without its random part, by which a preview is found: `preview-pr-12-0a1b2c3d`, `preview-
 * mq-6dcb09b5b5-0a1b2c3d`.
 */
export function renderPreviewBase({ prefix, repositoryHash, ...subject }: PreviewBase): string {
  const middle = subject.queueEntry === undefined ? `pr-${subject.pullRequest}` : `mq-${subject.queueEntry}`
  return `${prefix}-${middle}-${repositoryHash}`
}

/** Parses a name without its random part; undefined when it is not such a name. */
export function parsePreviewBase(text: string): PreviewBase | undefined {
  const [, prefix, pullRequest, queueEntry, repositoryHash] = baseGrammar.exec(text) ?? []
  if (prefix === undefined || repositoryHash === undefined) return undefined
  return queueEntry === undefined
    ? { prefix, pullRequest: Number(pullRequest), repositoryHash }
    : { prefix, queueEntry, repositoryHash }
}

/** Parses a full name, random part included; undefined when it is not such a name. */
export function parsePreviewName(name: string): PreviewName | undefined {
  const [, start = '', ...groups] = nameGrammar.exec(name) ?? []
  const parts = parsePreviewBase(start)
  const random = groups.at(-1)
  return parts === undefined || random === undefined ? undefined : { ...parts, random }
}

/** The name without its random part; undefined when it is not a preview's name. */
export function previewBaseOf(name: string): string | undefined {
  const parts = parsePreviewName(name)
  return parts && renderPreviewBase(parts)
}

/** Names a service by its id and its name, for people: `service s1 (shop)`. */
export const describeNamed = ({ service_id, name }: Pick<Service, 'service_id' | 'name'>) =>
  `service ${service_id} (${name})`
