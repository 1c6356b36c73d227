/** Tests that casts stay rare in `src`: a cast hides mistakes from the compiler. */
import { expect, test } from 'vitest'
import { lineAt, visitSource } from '../support/parse-source.ts'
import { readSources } from './read-sources.ts'

/** Lower it with each cast that goes. A new one needs types, a guard or a schema instead. */
const most = 22

/** The places of `x as T`; `as const` hides nothing. */
function findCasts(file: string, source: string): string[] {
  const casts: string[] = []
  visitSource(source, {
    TSAsExpression({ typeAnnotation: { start, end } }) {
      if (source.slice(start, end) !== 'const') casts.push(`${file}:${lineAt(source, start)}`)
    },
  })
  return casts
}

test(`src has at most ${most} casts`, () => {
  const casts = [...readSources('src/**/*.ts')].flatMap(([file, source]) => findCasts(file, source))
  expect(casts.length, `casts at ${casts.join(', ')}`).toBeLessThanOrEqual(most)
})
