/** Finds the uses of clocks, randomness, the environment and the network in pure layers. */
import { lineAt, visitSource } from '../support/parse-source.ts'
import type { Sources } from './check-imports.ts'

/** Globals that need no import: clocks, timers, the network, the environment, chance. */
const globals = new Set([
  ...['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance'],
  ...['process', 'console', 'crypto', 'WebSocket'],
])

/** Dates and chance of the system. `Date` and `Math` themselves are harmless. */
const systemCalls = new Set(['Date.now', 'Math.random'])

/** An impure global that a source uses, and its place. */
function findReaches(source: string): { name: string; start: number }[] {
  /** Where the names of fields and properties begin: those are something else. */
  const properties = new Set<number>()
  const found: { name: string; start: number }[] = []
  const note = (name: string, start: number) => found.push({ name, start })
  visitSource(source, {
    MemberExpression({ property, computed, start, end }) {
      if (!computed) properties.add(property.start)
      if (systemCalls.has(source.slice(start, end))) note(source.slice(start, property.start - 1), start)
    },
    Property: ({ key, shorthand }) => !shorthand && properties.add(key.start),
    TSPropertySignature: ({ key }) => properties.add(key.start),
    NewExpression({ callee, arguments: given, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
        note('new Date', start)
    },
    Identifier: ({ name, start }) => globals.has(name) && !properties.has(start) && note(name, start),
  })
  return found
}

/** One sentence for each use of an impure global. */
export function checkPurity(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    findReaches(source).map(
      ({ name, start }) =>
        `${file}:${lineAt(source, start)} uses ${name}: its layer is pure, and is given clock, chance and network`,
    ),
  )
}
