/** An unused preview for tests. */
import { decisionsOf } from './decisions.ts'
import { minute } from './inputs.ts'
import { type RunOptions, type RunReport, Stage } from './stage.ts'

export const hour = 60 * minute
const schedule = { name: 'schedule', action: undefined, pullRequest: undefined }

/** Opens a stage with a preview, created 13 hours ago. Its pull request was not updated since. */
export async function stageUnusedPreview() {
  const stage = new Stage()
  const created = await stage.run('create-preview')
  const id = created.outcome?.ids.service_id as string
  stage.advanceTime(13 * hour)
  const prune = (more: RunOptions = {}) =>
    stage.run('prune-previews', {
      event: schedule,
      given: { service_id: stage.parent },
      ...more,
      preview: { pauseAfter: 12 * hour, ...more.preview },
    })
  return { stage, id, created, prune }
}

/** The decision on the only preview. */
export const decisionOf = ({ outcome }: RunReport) => decisionsOf(outcome)[0]
