/** Tests the messages of errors. */
import { expect, test } from 'vitest'
import { ActionError, renderAdvised } from '#base/errors'

test.each<[string, unknown, string]>([
  ['an ActionError adds its instruction', new ActionError('it failed', 'try again'), 'it failed — try again'],
  ['any other says what failed', new Error('it failed'), 'it failed'],
  ['a value that is no error is shown unchanged', 'it failed', 'it failed'],
])('renders %s as one log line', (_, failure, line) => {
  expect(renderAdvised(failure)).toBe(line)
})
