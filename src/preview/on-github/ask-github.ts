/** Sends requests to GitHub as a named activity of the step. */
import { timed } from '#operations/base/timeline'
import type { PreviewContext } from '../base/context.ts'
import type { GitHub } from '../base/github.ts'

/** Asks GitHub. The log and the message at the deadline can name this activity. */
export function askGitHub<Answer>(
  context: Pick<PreviewContext, 'github' | 'timeline'>,
  ask: (github: GitHub) => Promise<Answer>,
): Promise<Answer> {
  return timed(context, 'asking GitHub', () => ask(context.github))
}
