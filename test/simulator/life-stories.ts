/** Lists the stories about rules, queues, resets, pauses, limits and dry runs of previews. */
import { crowdStory } from './crowd-stories.ts'
import { dryStory } from './dry-stories.ts'
import { askedStory, idleStory } from './idle-stories.ts'
import { limitStory, prefixStory } from './prefix-stories.ts'
import { queueStory } from './queue-stories.ts'
import { resetStory } from './reset-stories.ts'
import { ruleStory } from './rule-stories.ts'
import type { Story, StoryBuilder } from './stories.ts'

export const lifeStories: ((play: StoryBuilder) => Story)[] = [
  ruleStory,
  ruleStory,
  queueStory,
  resetStory,
  resetStory,
  idleStory,
  idleStory,
  prefixStory,
  limitStory,
  dryStory,
  crowdStory,
  askedStory,
]
