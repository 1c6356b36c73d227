import { expect, test } from 'vitest'
import { errorsOf, expectDocumented, readPatterns } from './documented-errors.ts'

const page = `# Troubleshooting

| what | what happens |
|---|---|
| \`this is not a message at all\` | nothing |

## Answers

| message | what it means, and what to do |
|---|---|
| \`… failed with 400 …\` | see |
| \`… failed: …\` — \`check the address of it\` | see |
| \`it was deleted long ago\`, or \`nobody knows …\` (or else) | see |
| \`…: …\` and \`limit\` | too short to tell anything |
`

const patterns = readPatterns(page)

test.each([
  'resize: PATCH failed with 400: NO — do this',
  'GET failed: reset — check the address of it',
  'it was deleted long ago',
  'now nobody knows it',
])('the page has a row about %j', text => {
  expect(() => expectDocumented(text, patterns)).not.toThrow()
})

test.each([
  'PATCH failed with 401 NO',
  'GET failed: reset — look elsewhere',
  'this is not a message at all',
  'a: limit',
])('the page has no row about %j', text => {
  expect(() => expectDocumented(text, patterns)).toThrow('no message of docs/troubleshooting.md fits')
})

test('the errors of a step are what it shows as such', () => {
  const stdout = '::warning title=x::odd\nodd\n::error title=x%3A failed::no %25 is left\n::error::the end\n'
  expect(errorsOf(stdout)).toEqual(['no % is left', 'the end'])
})
