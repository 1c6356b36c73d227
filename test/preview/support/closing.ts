/** A closed pull request for tests. */
import { eventOf, minute } from './inputs.ts'
import { type RunOptions, Stage, type StageOptions } from './stage.ts'

/** A closed pull request with its preview, READY by default, and a run for the closing. */
export function closing(options: StageOptions = {}, ready = true, operation = 'delete-preview') {
  const stage = new Stage(options)
  const id = stage.preview()
  if (ready) stage.pass(10 * minute)
  stage.setPullRequest('closed')
  const remove = (more: RunOptions = {}) =>
    stage.run(operation, {
      event: eventOf('closed'),
      given: { service_id: stage.parent },
      ...more,
    })
  return { stage, id, remove }
}
