/** The names of masked copies. */

/**
 * What a masked copy of production is at present: `masking` while a run works on it, `masked` once originals were searched
 * for in vain. So whoever lists services sees only finished ones as masked.
 */
export type Stage = 'masking' | 'masked'

/** The parts of the name of a masked copy. */
export interface MaskedName {
  stage: Stage
  /** Tells repositories that share a project apart. */
  repositoryHash: string
  random: string
}

const grammar = /^(masking|masked)-([0-9a-f]{8})-([a-z0-9]{6})$/

/** `masked-0a1b2c3d-x7k2p9`. */
export const renderMaskedName = ({ stage, repositoryHash, random }: MaskedName) =>
  `${stage}-${repositoryHash}-${random}`

/** Parses the name of a masked copy; undefined when it is not such a name. */
export function parseMaskedName(name: string): MaskedName | undefined {
  const [, stage, repositoryHash, random] = grammar.exec(name) ?? []
  if (repositoryHash === undefined || random === undefined) return undefined
  return { stage: stage === 'masked' ? 'masked' : 'masking', repositoryHash, random }
}
