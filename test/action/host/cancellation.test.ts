/** Tests signals and uncaught exceptions. */
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { assertNoDefect, exitCodeOf, watchCancellation } from '#action/host/cancellation'
import { InputError } from '#action/inputs/read-inputs'
import { CancelledError } from '#base/errors'

test.each([
  ['an interrupt', new CancelledError('SIGINT'), 130],
  ['a termination', new CancelledError('SIGTERM'), 143],
  ['a wrong input', new InputError(['operation: expected one']), 1],
  ['any error', new Error('no'), 1],
  ['what is no error', 'no', 1],
  ['nothing', undefined, 1],
])('after %s the step has the exit code of a shell', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code)
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch() {
  const signals = new EventEmitter()
  const stuck: Error[] = []
  const cancellation = watchCancellation(reason => stuck.push(reason), signals)
  return { signals, stuck, ...cancellation }
}

describe('an uncaught exception', () => {
  const failure = new TypeError('no such thing')

  it('ends the step like a signal, with the exception as its reason', () => {
    const { signals, signal, creatingSignal, stuck } = watch()
    assertNoDefect(signal)
    signals.emit('uncaughtException', failure)
    signals.emit('uncaughtException', new Error('a consequence'))
    expect(signal.reason).toBe(failure)
    vi.advanceTimersByTime(5000)
    expect(creatingSignal.reason).toBe(failure)
    expect(stuck).toEqual([failure])
    expect(() => assertNoDefect(signal)).toThrow(failure)
  })

  it('may be any value', () => {
    const { signals, signal } = watch()
    signals.emit('uncaughtException', 'a text')
    expect(signal.reason).toEqual(new Error('a text'))
  })

  it('does not change the end of a cancelled step', () => {
    const { signals, signal } = watch()
    signals.emit('SIGINT')
    signals.emit('uncaughtException', failure)
    assertNoDefect(signal)
    expect(signal.reason).toEqual(new CancelledError('SIGINT'))
  })
})

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', name => {
  it('ends waits at once, and creating requests 4 s later', () => {
    const { signals, signal, creatingSignal } = watch()
    expect([signal.aborted, creatingSignal.aborted]).toEqual([false, false])
    signals.emit(name)
    expect(signal.reason).toEqual(new CancelledError(name))
    vi.advanceTimersByTime(3999)
    expect(creatingSignal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(creatingSignal.reason).toBe(signal.reason)
  })

  it('cuts off after 5 s any work that ignores it', () => {
    const { signals, stuck, signal } = watch()
    signals.emit(name)
    vi.advanceTimersByTime(4999)
    expect(stuck).toEqual([])
    vi.advanceTimersByTime(1)
    expect(stuck).toEqual([signal.reason])
  })

  it('is not delayed by a second signal', () => {
    const { signals, stuck, signal } = watch()
    signals.emit(name)
    vi.advanceTimersByTime(3000)
    signals.emit('SIGTERM')
    vi.advanceTimersByTime(2000)
    expect(stuck).toEqual([signal.reason])
    vi.runAllTimers()
    expect(stuck).toHaveLength(1)
    expect(signal.reason).toEqual(new CancelledError(name))
  })
})
