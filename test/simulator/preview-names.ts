import { hashRepository } from '#preview/base/name'

export const repositoryId = '4711'
export const repositoryHash = hashRepository(repositoryId)

/** The pull request that a story is about. */
export const pullRequest = 7

/** The common prefix of the names of all previews of a pull request. */
export const previewBase = (number = pullRequest) => `preview-pr-${number}-${repositoryHash}`

/** The name of a preview that an earlier run made; `random` are 6 letters or digits. */
export const previewName = (random: string, number = pullRequest) => `${previewBase(number)}-${random}`

/** The commit of an entry of the merge queue begins so in the names of its previews. */
export const entryOf = (sha: string) => sha.slice(0, 10)

/** Written independently of the code, so that a mistake in the code's grammar shows. */
const grammar = new RegExp(
  `^(([a-z][a-z0-9-]*?)-(?:pr-(\\d+)|mq-([0-9a-f]{10}))-${repositoryHash})-[a-z0-9]{6}$`,
)

/** Whether a name is that of a masked copy of this repository at this stage. */
export const isMaskedName = (name: string | undefined, stage: 'masking' | 'masked') =>
  new RegExp(`^${stage}-${repositoryHash}-[a-z0-9]{6}$`).test(name ?? '')

/** The parts of a preview's name. */
interface ReadName {
  prefix: string
  /** All but the random part. */
  base: string
  pullRequest: number | undefined
  /** The first digits of the commit that the merge queue checks. */
  queueEntry: string | undefined
}

/** The parts of the name of a preview of this repository; undefined for any other name. */
export function readName(name: string): ReadName | undefined {
  const [, base, prefix, digits, queueEntry] = grammar.exec(name) ?? []
  if (base === undefined || prefix === undefined) return undefined
  return { prefix, base, pullRequest: digits === undefined ? undefined : Number(digits), queueEntry }
}

/** The number of the pull request in a preview's name; undefined for any other name. */
export const pullRequestOf = (name: string) => readName(name)?.pullRequest
