/**
 * Adds properties whose values are made once, when they are first read. There is a row for each endpoint, and a step
 * reads the schemas of one or two.
 */
export function lazily<Target extends object, Makers extends Record<string, () => unknown>>(
  target: Target,
  makers: Makers,
): Target & { [Name in keyof Makers]: ReturnType<Makers[Name]> } {
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = make()
        // Not `target`: it may have been copied together with its getters.
        Object.defineProperty(this, name, { value, enumerable: true })
        return value
      },
    })
  }
  return target as Target & { [Name in keyof Makers]: ReturnType<Makers[Name]> }
}
