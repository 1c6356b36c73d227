/** Opens something for the tests of a file or group. */
import { afterAll, beforeAll } from 'vitest'

/** An object that stands for a later one: it is usable only within tests and hooks. */
export const standFor = <Opened extends object>(current: () => Opened | undefined): Opened =>
  new Proxy({} as Opened, {
    get(_, name) {
      const opened = current()
      if (opened === undefined) throw new Error(`${String(name)} is read before the tests begin`)
      const value: unknown = Reflect.get(opened, name)
      return typeof value === 'function' ? value.bind(opened) : value
    },
    set: (_, name, value) => Reflect.set(current() ?? {}, name, value),
  })

/** Opens an object before the tests of a file or group, and stops it after them. */
export function useOpened<Opened extends { stop(): Promise<unknown> }>(open: () => Promise<Opened>): Opened {
  let current: Opened | undefined
  beforeAll(async () => {
    current = await open()
  })
  afterAll(() => current?.stop())
  return standFor(() => current)
}
