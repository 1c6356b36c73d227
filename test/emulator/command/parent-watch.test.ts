/** Tests the end of the emulator with its parent process. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isScript, watchParent } from '../../../emulator/command/parent-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['a living parent', { parent: 7, living: [7, 1] }, 0],
  ['another parent, as an orphan has', { parent: 1, living: [7, 1] }, 1],
  ['the id of an ended parent, as on Windows', { parent: 7, living: [] as number[] }, 1],
])('a process with %j, %j, ends %i times', (_, later, times) => {
  let family = { parent: 7, living: [7, 1] }
  const end = vi.fn()
  const watch = watchParent(end, { parent: () => family.parent, isAlive: pid => family.living.includes(pid) })
  family = later
  vi.advanceTimersByTime(60_000)
  expect(end).toHaveBeenCalledTimes(times)
  watch.stop()
})

test('only a package script ends with its parent', () => {
  expect([isScript({ npm_lifecycle_event: 'emulator' }), isScript({})]).toEqual([true, false])
})
