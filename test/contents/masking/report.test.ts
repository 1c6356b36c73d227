/** Tests the report of a masking and the errors for remaining originals. */
import { expect, it } from 'vitest'
import type { ActionError } from '#base/errors'
import { checkProven, describeMasking, type MaskingReport, renderProof } from '#contents/masking/report'

const hit = (place: string) => ({
  place,
  times: 2,
  originals: 1,
  from: ['public.people.email'],
  isSchema: place.startsWith('function'),
  isJson: place.endsWith('.json'),
})

const found = (places: string[]) =>
  ({
    proof: { searched: [], notSearched: [], rebuilt: [], common: 0, hits: places.map(hit) },
  }) as unknown as MaskingReport

const describeHits = (places: string[]) => {
  try {
    checkProven(found(places))
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

it('names tables of users before the chunks of TimescaleDB, and only some of many places', () => {
  const chunks = Array.from(
    { length: 30 },
    (_, n) => `_timescaledb_internal._hyper_1_${n}_chunk._ts_meta_min_1`,
  )
  const message = describeHits([...chunks, 'public.visits.person', 'view few'])
  expect(message).toMatch(
    /^originals were found after masking: public\.visits\.person: 1 original of public\.people\.email, in 2 values; view few: .*; _timescaledb_internal\._hyper_1_0_chunk/,
  )
  expect(message).toMatch(/; and 12 more$/)
})

it('advises a rule for data, and keep for terms of developers', () => {
  const adviceFor = (places: string[]) => {
    try {
      checkProven(found(places))
      return ''
    } catch (error) {
      return (error as ActionError).next
    }
  }
  expect(adviceFor(['public.log.line'])).toBe(
    'give public.log.line a rule that masks, or drop_rows for the table; do not use the copy',
  )
  expect(adviceFor(['public.log.json', 'public.log.line', 'public.a.b', 'public.c.d'])).toMatch(
    /^give public\.log\.json, public\.log\.line, public\.a\.b, and 1 more a rule that masks \(json: \{ … \} masks the parts that its paths name\), /,
  )
  expect(adviceFor(['public.people.email'])).toBe(
    'correct the rule of public.people.email: it must change every value; do not use the copy',
  )
  expect(adviceFor(['function f'])).toMatch(/^change functions.* or use keep for public\.people\.email, if /)
})

it('returns without an error if the search found no original', () => {
  expect(describeHits([])).toBe('')
})

it('counts columns without samples separately', () => {
  const sample = (taken: number) => ({ column: '', taken, tooShort: 0, notUnique: 3 })
  const report = { ...found([]), samples: [sample(7), sample(0)] }
  expect(renderProof(report)).toMatch(
    /^none of 7 originals of 1 column found in 0 places; 1 more column had no original to search for; originals not counted: /,
  )
})

it.each([
  ['a database without tables', { columns: 0, rows: 0, names: [], taken: 0 }, 'there was nothing to mask'],
  ['tables without rows', { columns: 2, rows: 0, names: ['t'], taken: 0 }, 'there was nothing to mask'],
  ['only short values', { columns: 2, rows: 9, names: ['t'], taken: 0 }, 'no masked value was long and'],
  ['rules without a search', { columns: 2, rows: 9, names: ['t'], taken: undefined }, undefined],
  ['rules that only empty tables', { columns: 0, rows: 0, names: ['t'], taken: 0 }, undefined],
  ['values to search for', { columns: 2, rows: 9, names: ['t'], taken: 7 }, undefined],
])('warns about a search without originals: %s', (_, { names, taken, ...counts }, warning) => {
  const samples = taken === undefined ? [] : [{ column: '', taken, tooShort: 0, notUnique: 0 }]
  const treatment = [{ title: 'Rows dropped', names }]
  const masking = describeMasking({ ...found([]), ...counts, samples, treatment })
  const expected =
    warning === undefined
      ? /^$/
      : new RegExp(`^${warning}.*proves nothing${counts.rows === 0 ? ' — check that service_id' : '$'}`)
  expect(masking.warning ?? '').toMatch(expected)
  expect(JSON.stringify(masking.report[0])).toContain(warning ?? '✅ No original was found.')
})
