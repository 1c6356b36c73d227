/** The names of previews in stories. */
import { hashRepository } from '#preview/base/name'

export const repositoryId = '4711'
export const repositoryHash = hashRepository(repositoryId)

/** The pull request of a story. */
export const pullRequest = 7

export const previewBase = (number = pullRequest) => `preview-pr-${number}-${repositoryHash}`

/** The name of a preview from an earlier run; `random` is 6 letters or digits. */
export const previewName = (random: string, number = pullRequest) => `${previewBase(number)}-${random}`

/** The part of a merge queue commit in the names of its previews. */
export const entryOf = (sha: string) => sha.slice(0, 10)

/** Written independently of the code, so a mistake in the code's grammar shows. */
const grammar = new RegExp(
  `^(([a-z][a-z0-9-]*?)-(?:pr-(\\d+)|mq-([0-9a-f]{10}))-${repositoryHash})-[a-z0-9]{6}$`,
)

export const isMaskedName = (name: string | undefined, stage: 'masking' | 'masked') =>
  new RegExp(`^${stage}-${repositoryHash}-[a-z0-9]{6}$`).test(name ?? '')

interface ReadName {
  prefix: string
  /** Without the random part. */
  base: string
  pullRequest: number | undefined
  queueEntry: string | undefined
}

/** Parses the name of a preview of this repository; undefined for any other name. */
export function readName(name: string): ReadName | undefined {
  const [, base, prefix, digits, queueEntry] = grammar.exec(name) ?? []
  if (base === undefined || prefix === undefined) return undefined
  return { prefix, base, pullRequest: digits === undefined ? undefined : Number(digits), queueEntry }
}

export const pullRequestOf = (name: string) => readName(name)?.pullRequest
