/** The names of masked copies. The npm package needs only this file of the folder. */

/** `masking` while a run works on the copy, `masked` after the search for originals found none. */
export type Stage = 'masking' | 'masked'

export interface MaskedName {
  stage: Stage
  /** Distinguishes repositories that share a project. */
  repositoryHash: string
  random: string
}

const grammar = /^(masking|masked)-([0-9a-f]{8})-([a-z0-9]{6})$/

/** Such as `masked-0a1b2c3d-x7k2p9`. */
export const renderMaskedName = ({ stage, repositoryHash, random }: MaskedName) =>
  `${stage}-${repositoryHash}-${random}`

export function parseMaskedName(name: string): MaskedName | undefined {
  const [, stage, repositoryHash, random] = grammar.exec(name) ?? []
  if (repositoryHash === undefined || random === undefined) return undefined
  return { stage: stage === 'masked' ? stage : 'masking', repositoryHash, random }
}
