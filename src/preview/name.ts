import { createHash } from 'node:crypto'

/**
 * The parts of a preview's name that every run of its pull request shares. Never from a title or branch: those are
 * untrusted text.
 */
export interface PreviewBase {
  prefix: string
  pullRequest: number
  /** Tells repositories that share a project apart. */
  repositoryHash: string
}

/** All of a preview's name: the random part tells the runs of a pull request apart. */
export interface PreviewName extends PreviewBase {
  random: string
}

/** Characters of the random part. With it, the longest name has 63 characters. */
export const randomLength = 6

const base = '([a-z](?:[a-z0-9-]{0,31}[a-z0-9])?)-pr-([1-9]\\d{0,9})-([0-9a-f]{8})'
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

/** The name without its random part, by which a pull request's preview is found: `preview-pr-12-0a1b2c3d`. */
export function renderPreviewBase({ prefix, pullRequest, repositoryHash }: PreviewBase): string {
  return `${prefix}-pr-${pullRequest}-${repositoryHash}`
}

/** The parts of a name without its random part; undefined for a text that is not of our grammar. */
export function parsePreviewBase(text: string): PreviewBase | undefined {
  const [, prefix, pullRequest, repositoryHash] = baseGrammar.exec(text) ?? []
  if (prefix === undefined || pullRequest === undefined || repositoryHash === undefined) return undefined
  return { prefix, pullRequest: Number(pullRequest), repositoryHash }
}

/** The parts of a whole name, the random part included; undefined for a name that is not of our grammar. */
export function parsePreviewName(name: string): PreviewName | undefined {
  const [, start = '', , , , random] = nameGrammar.exec(name) ?? []
  const parts = parsePreviewBase(start)
  return parts === undefined || random === undefined ? undefined : { ...parts, random }
}

/** A name without its random part, where it is a preview's. */
export function previewBaseOf(name: string): string | undefined {
  const parts = parsePreviewName(name)
  return parts && renderPreviewBase(parts)
}
