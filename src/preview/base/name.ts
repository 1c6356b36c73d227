/** The grammar of preview names. */
import { hash } from 'node:crypto'
import type { Service } from '#api/records'

/** The shared parts of the names of one preview. None comes from a title or branch, which are untrusted text. */
export type PreviewBase = {
  prefix: string
  /** Distinguishes repositories that share a project. */
  repositoryHash: string
} & PreviewSubject

export type PreviewSubject =
  | { pullRequest: number; queueEntry?: undefined }
  /** The first digits of the commit that the merge queue checks. */
  | { pullRequest?: undefined; queueEntry: string }

export const usualPrefix = 'preview'

/** Characters of the random part, which distinguishes the runs of a pull request. The longest name has 63 characters with it. */
export const randomLength = 6

/** Digits of a commit in a name: as many as in the longest pull request number. */
const entryLength = 10

const prefix = '([a-z](?:[a-z0-9-]{0,31}[a-z0-9])?)'
// The forms differ at the end of the name, so no prefix makes a name fit both.
const base = `${prefix}-(?:pr-([1-9]\\d{0,9})|mq-([0-9a-f]{${entryLength}}))-([0-9a-f]{8})`
const baseGrammar = new RegExp(`^${base}$`)
const nameGrammar = new RegExp(`^(${base})-[a-z0-9]{${randomLength}}$`)

export function isPreviewPrefix(text: string): boolean {
  return parsePreviewBase(`${text}-pr-1-00000000`)?.prefix === text
}

/** 8 hexadecimal digits. The id survives a rename, but two servers may have the same one; undefined is github.com. */
export function hashRepository(repositoryId: string, server?: string): string {
  const text = server === undefined ? repositoryId : `${server}/${repositoryId}`
  return hash('sha256', text).slice(0, 8)
}

export const queueEntryOf = (sha: string) => sha.slice(0, entryLength)

/** The name without its random part: `preview-pr-12-0a1b2c3d`, `preview-mq-6dcb09b5b5-0a1b2c3d`. */
export function renderPreviewBase({ prefix, repositoryHash, ...subject }: PreviewBase): string {
  const middle = subject.queueEntry === undefined ? `pr-${subject.pullRequest}` : `mq-${subject.queueEntry}`
  return `${prefix}-${middle}-${repositoryHash}`
}

/** Parses a name without its random part. */
export function parsePreviewBase(text: string): PreviewBase | undefined {
  const [, prefix, pullRequest, queueEntry, repositoryHash] = baseGrammar.exec(text) ?? []
  if (prefix === undefined || repositoryHash === undefined) return undefined
  return queueEntry === undefined
    ? { prefix, pullRequest: Number(pullRequest), repositoryHash }
    : { prefix, queueEntry, repositoryHash }
}

/** A full name without its random part; undefined for any other name. */
export const previewBaseOf = (name = '') => nameGrammar.exec(name)?.[1]

/** Parses a full name; undefined for any other name. */
export const parsePreviewName = (name?: string) => parsePreviewBase(previewBaseOf(name) ?? '')

/** Parses a name with or without its random part, which differs between the databases of one preview. */
export const parseGivenName = (name: string) => parsePreviewBase(name) ?? parsePreviewName(name)

/** A service for people: `service s1 (shop)`. */
export const describeNamed = ({ service_id, name }: Pick<Service, 'service_id' | 'name'>) =>
  `service ${service_id} (${name})`
