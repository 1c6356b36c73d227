/** Names the parts of the bundle after the modules that an `import()` loads: webpack gives them numbers. */
import { basename } from 'node:path'

/** Adds the name of the module to each `import()` of compiled code. webpack repeats it where it loads the part. */
export function addPartNames(code: string): string {
  return code.replace(/\bimport\('([.#][^']*)'\)/g, (_, path: string) => {
    return `import(/* webpackChunkName: "${basename(path, '.js')}" */ '${path}')`
  })
}

// webpack writes a number behind the name, or a list: first the numbers of shared parts, then the number of the named part.
const loads = /import\(\) \| ([\w-]+) \*\/(?: (\d+)|\[([^\]]*)\])/g

/** The names of the parts by their numbers, from the output of webpack. A shared part has the names of all that load it. */
export function findPartNames(code: string): Record<string, string> {
  const names: Record<string, string> = {}
  const users = new Map<string, Set<string>>()
  for (const [, name = '', single, list = ''] of code.matchAll(loads)) {
    const numbers =
      single === undefined ? [...list.matchAll(/\.e\((\d+)\)/g)].map(([, one = '']) => one) : [single]
    names[numbers.pop() ?? ''] = name
    for (const number of numbers) users.set(number, (users.get(number) ?? new Set<string>()).add(name))
  }
  for (const [number, loading] of users) names[number] ??= `shared-${[...loading].sort().join('-')}`
  return names
}
