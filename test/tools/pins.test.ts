/** Tests the search for pinned actions. */
import { expect, it } from 'vitest'
import { findPins, judgePin, type Pin } from '../../tools/check-workflows/pins.ts'

const [right, wrong, object] = ['a', 'b', 'c'].map(digit => digit.repeat(40)) as [string, string, string]
const pin = (sha: string): Pin => ({ repository: 'acme/build', sha, tag: 'v1.2.0' })

it('finds each pinned action of a workflow once, including parts of a repository', () => {
  const lines = [`- uses: acme/build@${right} # v1.2.0`, `  uses: acme/build/part@${right} # v1.2.0`]
  const others = ['- uses: ./', '- uses: acme/build@v1', '- uses: $/preview']
  expect(findPins([...lines, ...others].join('\n'))).toEqual([pin(right)])
})

it.each([
  ['the commit of the tag', pin(right), `${right}\trefs/tags/v1.2.0\n`, undefined],
  [
    'the commit of an annotated tag',
    pin(right),
    `${object}\trefs/tags/v1.2.0\n${right}\trefs/tags/v1.2.0^{}\n`,
    undefined,
  ],
  [
    'another commit',
    pin(wrong),
    `${right}\trefs/tags/v1.2.0\n`,
    `acme/build@${wrong} is said to be v1.2.0, which is ${right}`,
  ],
  [
    'a tag that there is not',
    pin(wrong),
    '',
    `acme/build@${wrong} is said to be v1.2.0, which is no tag there`,
  ],
])('judges %s', (_, given, refs, problem) => {
  expect(judgePin(given, refs)).toBe(problem)
})
