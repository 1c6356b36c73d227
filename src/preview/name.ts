import { createHash } from 'node:crypto'

/** The parts of a preview's name (DESIGN rule 6). Never from a title or branch: those are untrusted text. */
export interface PreviewName {
  prefix: string
  pullRequest: number
  /** Tells repositories that share a project apart. */
  repositoryHash: string
}

const grammar = /^([a-z](?:[a-z0-9-]{0,38}[a-z0-9])?)-pr-([1-9]\d{0,9})-([0-9a-f]{8})$/

/** Whether a text may stand before `-pr-` in a preview's name. */
export function isPreviewPrefix(text: string): boolean {
  return parsePreviewName(`${text}-pr-1-00000000`)?.prefix === text
}

/** 8 hexadecimal digits that stand for a repository; its id outlives a rename. */
export function hashRepository(repositoryId: string): string {
  return createHash('sha256').update(repositoryId).digest('hex').slice(0, 8)
}

export function renderPreviewName({ prefix, pullRequest, repositoryHash }: PreviewName): string {
  return `${prefix}-pr-${pullRequest}-${repositoryHash}`
}

/** The parts of a name; undefined for a name that is not of our grammar. */
export function parsePreviewName(name: string): PreviewName | undefined {
  const [, prefix, pullRequest, repositoryHash] = grammar.exec(name) ?? []
  if (prefix === undefined || pullRequest === undefined || repositoryHash === undefined) return undefined
  return { prefix, pullRequest: Number(pullRequest), repositoryHash }
}
