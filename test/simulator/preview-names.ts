import { hashRepository } from '../../src/preview/name.ts'

export const repositoryId = '4711'
export const repositoryHash = hashRepository(repositoryId)

/** The pull request that a story is about. */
export const pullRequest = 7

/** What the names of all previews of a pull request begin with. */
export const previewBase = (number = pullRequest) => `preview-pr-${number}-${repositoryHash}`

/** The name of a preview that an earlier run made; `random` are 6 letters or digits. */
export const previewName = (random: string, number = pullRequest) => `${previewBase(number)}-${random}`

/** Written out once more, so that a mistake in the grammar of the code is seen. */
const grammar = new RegExp(`^preview-pr-(\\d+)-${repositoryHash}-[a-z0-9]{6}$`)

/** The number of the pull request that a preview's name tells; undefined for any other name. */
export function pullRequestOf(name: string): number | undefined {
  const digits = grammar.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
