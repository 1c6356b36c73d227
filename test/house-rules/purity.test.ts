/** Tests that pure layers reach for no clock, randomness, environment or network. */
import { expect, test } from 'vitest'
import { lineAt, visitSource } from '../support/parse-source.ts'
import type { Sources } from './check-imports.ts'
import { pure } from './packages.ts'
import { readSources } from './read-sources.ts'

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
function checkPurity(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) =>
    findReaches(source).map(
      ({ name, start }) =>
        `${file}:${lineAt(source, start)} uses ${name}: its layer is pure, and is given clock, chance and network`,
    ),
  )
}

test.each(pure)('%s reaches for no clock, chance, environment or network', name => {
  const sources = readSources(`${name}/**/*.ts`)
  expect(sources.size).toBeGreaterThan(5)
  expect(checkPurity(sources)).toEqual([])
})

test.each([
  ['const now = Date.now()', 'Date'],
  ['const now = new Date()', 'new Date'],
  ['const chance = Math.random()', 'Math'],
  ['await fetch(url)', 'fetch'],
  ['setTimeout(end, 5)', 'setTimeout'],
  ['process.env.HOME', 'process'],
])('%s reaches for one of them', (source, name) => {
  expect(checkPurity(new Map([['src/api/x.ts', `\n${source}`]]))).toEqual([
    `src/api/x.ts:2 uses ${name}: its layer is pure, and is given clock, chance and network`,
  ])
})

test.each([
  'new Date(moment)',
  'Date.parse(text)',
  'seam.fetch(url)',
  '// Date.now()',
  "const text = 'fetch'",
])('%s reaches for none of them', source =>
  expect(checkPurity(new Map([['src/api/x.ts', source]]))).toEqual([]),
)
