/** Opens something for the tests of a file or group. */
import { afterAll, beforeAll } from 'vitest'

/** Opens an object before the tests of a file or group, and stops it after them. It is usable only within tests and hooks. */
export function useOpened<Opened extends { stop(): Promise<unknown> }>(open: () => Promise<Opened>): Opened {
  let current: Opened | undefined
  beforeAll(async () => {
    current = await open()
  })
  afterAll(() => current?.stop())
  return new Proxy({} as Opened, {
    get(_, name) {
      if (current === undefined) throw new Error(`${String(name)} is read before the tests begin`)
      return Reflect.get(current, name)
    },
  })
}
