import { hashRepository, parsePreviewName } from '../../src/preview/name.ts'

export const repositoryId = '4711'
export const repositoryHash = hashRepository(repositoryId)

/** The pull request that a story is about. */
export const pullRequest = 7

/** What the names of all previews of a pull request begin with. */
export const previewBase = (number = pullRequest) => `preview-pr-${number}-${repositoryHash}`

/** The name of a preview that an earlier run made; `random` are 6 letters or digits. */
export function previewName(random: string, number = pullRequest): string {
  const name = `${previewBase(number)}-${random}`
  // Before names had a random part, all previews of a pull request had the same one.
  return parsePreviewName(name) ? name : previewBase(number)
}

/** Whether a name is that of a preview of the pull request. */
export function isPreviewName(name: string, number = pullRequest): boolean {
  return name === previewBase(number) || name.startsWith(`${previewBase(number)}-`)
}

/** The number of the pull request that a preview's name tells. */
export function pullRequestOf(name: string): number | undefined {
  const number = Number(/-pr-(\d+)-[0-9a-f]{8}/.exec(name)?.[1])
  return isPreviewName(name, number) ? number : undefined
}
