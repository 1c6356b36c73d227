import { expect, test } from 'vitest'
import { exitCodeOf } from '../../src/action/cancellation.ts'
import { InputError } from '../../src/action/inputs.ts'
import { CancelledError } from '../../src/client/errors.ts'

test.each([
  ['an interrupt', new CancelledError('SIGINT'), 130],
  ['a termination', new CancelledError('SIGTERM'), 143],
  ['a wrong input', new InputError(['operation: expected one']), 1],
  ['any error', new Error('no'), 1],
  ['what is no error', 'no', 1],
  ['nothing', undefined, 1],
])('after %s the step exits as a shell would expect', (_, error, code) => {
  expect(exitCodeOf(error)).toBe(code)
})
