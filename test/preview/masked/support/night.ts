/** Runs of create-masked-parent for tests. */
import { type Stage as Kind, parseMaskedName } from '#preview/masked/name'
import { minute } from '../../support/inputs.ts'
import type { RunOptions, RunReport, Stage } from '../../support/stage.ts'

export const hour = 60 * minute

export const createMaskedParent = (stage: Stage, options: RunOptions = {}): Promise<RunReport> =>
  stage.run('create-masked-parent', {
    given: { service_id: stage.parent },
    event: { name: 'schedule', action: undefined, pullRequest: undefined },
    patience: 6 * hour,
    ...options,
    settings: { quarantine: 'strict', cleanup: 'on-failure', ...options.settings },
    preview: { maskFile: ['masking.yml'], ...options.preview },
  })

/** The ids of the masked copies of this kind, without those being deleted. */
export const maskedCopies = (stage: Stage, kind: Kind): string[] =>
  stage.world
    .services()
    .filter(({ name = '', status }) => parseMaskedName(name)?.stage === kind && status !== 'DELETING')
    .map(({ service_id }) => service_id)

export const idOf = ({ outcome }: RunReport): string => outcome?.ids.service_id ?? ''
