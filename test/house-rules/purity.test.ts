/** Tests that pure layers reach for no clock, randomness, environment or network. */
import { expect, test } from 'vitest'
import { checkPurity } from './check-purity.ts'
import { pure } from './packages.ts'
import { readSources } from './read-sources.ts'

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
