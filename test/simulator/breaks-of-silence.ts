/** Broken variants of the log of a waiting run. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const noSilence = 'a log is silent for at most 5 s, except during an announced wait'
const namedFirst = 'a wait is announced when it begins'

const waitLog = changeIn('operations/wait/wait-log.ts')

export const silenceBreaks: Record<string, Break> = {
  'a pause is not announced': broken(
    [namedFirst, noSilence],
    waitLog('  context.log.info(line)\n  wait.expectSilence(milliseconds + overtime)\n', ''),
  ),
  'the log has no heartbeat while an answer is late': broken(
    [noSilence],
    change('operations/base/timeline.ts', 'const longestSilence = 4500', 'const longestSilence = 60_000'),
  ),
}
