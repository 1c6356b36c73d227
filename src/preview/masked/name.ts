/** The names of masked copies. The npm package needs only this file of the folder. */

/** `masking` while a run works on the copy, `masked` after the search for originals found none. */
export type Stage = 'masking' | 'masked'

const grammar = /^(masking|masked)-([0-9a-f]{8})-[a-z0-9]{6}$/

/** The name without its random part: `masking-0a1b2c3d`. */
export const renderMaskedBase = (stage: Stage, repositoryHash: string) => `${stage}-${repositoryHash}`

/** The name of a copy after the search for originals: `masked-0a1b2c3d-x7k2p9`. */
export const renderFinishedName = (name: string) => name.replace(/^masking/, 'masked')

export function parseMaskedName(name = ''): { stage: Stage; repositoryHash: string } | undefined {
  const [, stage, repositoryHash] = grammar.exec(name) ?? []
  if (repositoryHash === undefined) return undefined
  return { stage: stage === 'masked' ? stage : 'masking', repositoryHash }
}
