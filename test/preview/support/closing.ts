/** A closed pull request for tests. */
import { eventOf, minute } from './inputs.ts'
import { type RunOptions, Stage, type StageOptions } from './stage.ts'

/** Opens a stage with a closed pull request and its preview. `deletePreview` runs the operation on the closing event. */
export function stageClosedPullRequest(
  options: StageOptions = {},
  ready = true,
  operation = 'delete-preview',
) {
  const stage = new Stage(options)
  const id = stage.createPreview()
  if (ready) stage.advanceTime(10 * minute)
  stage.setPullRequest('closed')
  const deletePreview = (more: RunOptions = {}) =>
    stage.run(operation, {
      event: eventOf('closed'),
      given: { service_id: stage.parent },
      ...more,
    })
  return { stage, id, deletePreview }
}
