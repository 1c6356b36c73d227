/** Parts of stories about previews. */
import type { AllSettings } from '#database/context'
import type { GivenParameters } from '#operations/base/context'
import type { PreviewSettings } from '#preview/base/context'
import type { JobPlan } from './job-plan.ts'
import { previewName } from './preview-names.ts'
import { eventWithoutPullRequest, type StoryBuilder } from './stories.ts'

/** A service created before the story, by another run or by people. Times in milliseconds. */
interface Past {
  at?: number
  by?: string
  given?: GivenParameters
}

/** A fork of the parent from before the story; READY at its start. `onMade` receives its id. */
export function forkBefore(
  play: StoryBuilder,
  name: string,
  { at = 95_000, by = 'an earlier run', given = {} }: Past = {},
  onMade: (id: string) => void = () => {},
): void {
  play.world.time.schedule(at, () => {
    const id = play.fork(name, by, given)
    if (id !== undefined) onMade(id)
  })
}

export const forkOther = (play: StoryBuilder, number: number) =>
  forkBefore(play, previewName('a1b2c3', number))

type Parts = Partial<Omit<JobPlan, 'end' | 'settings'>> & {
  settings?: Partial<AllSettings>
  preview?: Partial<PreviewSettings>
}

export function lifeJob(
  play: StoryBuilder,
  name: string,
  operation: string,
  { settings, preview, given, ...parts }: Parts = {},
): JobPlan {
  const all = { service_id: play.parentId, ...given }
  return play.job(name, operation, all, { settings: play.settings(settings, preview), ...parts })
}

export const pruneJob = (play: StoryBuilder, name: string, parts: Parts = {}) => {
  const event = eventWithoutPullRequest(play.chance.pick(['schedule', 'workflow_dispatch']))
  const operation = play.chance.pick(['preview', 'prune-previews'])
  return lifeJob(play, name, operation, { event, ...parts })
}
