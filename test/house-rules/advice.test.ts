/** Tests that warnings about failures include advice. */
import { expect, test } from 'vitest'
import { readSources } from './read-sources.ts'

/** The arguments of each call of a method, as far as its first line that ends with a closing bracket. */
const warnings = (text: string) =>
  [...text.matchAll(/\.(?:warning|warn)\([\s\S]*?\)$/gm)].map(([call]) => call)

test('a warning about a failure gives its next step with renderAdvised', () => {
  const bare = [...readSources('src/**/*.ts')].flatMap(([file, text]) =>
    warnings(text).flatMap(call => (/\.message\b/.test(call) ? [`${file}: ${call}`] : [])),
  )
  expect(bare).toEqual([])
})

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source that is examined
  ['log.warning(`no: ${(failure as Error).message}`)\n', 1],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source that is examined
  ["context.log.warning(\n  `no: ${failure.message}`,\n  'no',\n)\n", 1],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source that is examined
  ['log.warning(`no: ${renderAdvised(failure)}`)\nthrow failure.message\n', 0],
])('%j has this many warnings without advice: %i', (source, count) => {
  expect(warnings(source).filter(call => call.includes('.message'))).toHaveLength(count)
})
