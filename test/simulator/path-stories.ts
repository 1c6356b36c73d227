/** Adds the input `paths` to stories about rules: pushes add matching files or take them back. */
import type { Chance } from './chance.ts'
import { pullRequest } from './preview-names.ts'
import type { Story } from './stories.ts'
import type { World } from './world.ts'

const matching = 'db/1.sql'
const drafts = [['README.md'], ['README.md'], ['README.md', matching]]

/** Whether a pull request changes a file that matches `paths` of these stories. */
export const hasMatch = (files: string[] | undefined) => files?.includes(matching) === true

export function addPaths(story: Story, world: World, chance: Chance): void {
  if (!story.rules || !chance.hits(0.5)) return
  const paths = ['db/**', '!db/README.md']
  story.rules = { ...story.rules, paths }
  story.added.push('paths')
  const push = () => world.pullRequests.set(pullRequest, { files: chance.pick(drafts) })
  push()
  for (const job of story.jobs) {
    job.settings = { ...job.settings, preview: { ...job.settings.preview, paths } }
    if (chance.hits(0.5)) world.time.schedule(job.start + chance.between(-5000, 5000), push)
  }
}
