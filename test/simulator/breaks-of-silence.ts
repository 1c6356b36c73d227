import type { Break } from './breaking.ts'
import { broken, change } from './breaking.ts'

const noSilence = 'no more than 5 s go by without a line, or a line that named the wait'
const namedFirst = 'a rest is named when it begins'

/** Of what the log says while a run waits. */
export const silenceBreaks: Record<string, Break> = {
  'a rest is not named': broken(
    [namedFirst, noSilence],
    change(
      'operations/wait/wait-log.ts',
      '  context.log.info(line)\n  wait.quiet(milliseconds + overtime)\n',
      '',
    ),
  ),
  'a wait of unknown length is not named': broken(
    [namedFirst, noSilence],
    change('operations/wait/wait-log.ts', 'if (this.#isNamed) return', 'if (most > 0) return'),
  ),
  'nothing is said while an answer is late': broken(
    [noSilence],
    change('operations/base/parts.ts', 'const longestSilence = 4500', 'const longestSilence = 60_000'),
  ),
  'a wait is missing from the summary': broken(
    [noSilence],
    change(
      'operations/base/parts.ts',
      '{ ...parts, isWait: true }, since)',
      '{ ...parts, isWait: false }, since)',
    ),
  ),
}
