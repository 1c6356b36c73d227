/** Tests the end of the emulator with its parent process. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isScript, watchParent } from '../../../emulator/command/parent-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const family = { current: 7, living: [7, 1] }
  const end = vi.fn()
  const watch = watchParent(end, {
    parent: () => family.current,
    isAlive: pid => family.living.includes(pid),
  })
  return { family, end, watch }
}

test('a living parent does not end the process', () => {
  const { end, watch } = watched()
  vi.advanceTimersByTime(60_000)
  expect(end).not.toHaveBeenCalled()
  watch.stop()
})

test('an orphan is reported once', () => {
  const { family, end } = watched()
  family.current = 1
  vi.advanceTimersByTime(60_000)
  expect(end).toHaveBeenCalledOnce()
})

test('a process that keeps the id of an ended parent is reported too, as on Windows', () => {
  const { family, end } = watched()
  family.living = []
  vi.advanceTimersByTime(60_000)
  expect(end).toHaveBeenCalledOnce()
})

test('only a package script ends with its parent', () => {
  expect([isScript({ npm_lifecycle_event: 'emulator' }), isScript({})]).toEqual([true, false])
})
