/** Waits for a condition in tests of the emulator. */
import { vi } from 'vitest'

/** Repeats the check until it passes, and returns its result. After 30 s, its last failure fails the test. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 })
