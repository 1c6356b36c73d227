/** Broken variants of the log of a waiting run. */
import type { Break } from './breaking.ts'
import { broken, change } from './breaking.ts'

const noSilence = 'no more than 5 s go by without a line, or a line that named the wait'
const namedFirst = 'a rest is named when it begins'

export const silenceBreaks: Record<string, Break> = {
  'a rest is not named': broken(
    [namedFirst, noSilence],
    change(
      'operations/wait/wait-log.ts',
      '  context.log.info(line)\n  wait.expectSilence(milliseconds + overtime)\n',
      '',
    ),
  ),
  'nothing is said while an answer is late': broken(
    [noSilence],
    change('operations/base/timeline.ts', 'const longestSilence = 4500', 'const longestSilence = 60_000'),
  ),
}
