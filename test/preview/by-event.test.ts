import { expect, it } from 'vitest'
import { operationFor } from '../../src/preview/by-event.ts'

it.each([
  ['pull_request', 'opened', 'create-preview'],
  ['pull_request', 'reopened', 'create-preview'],
  ['pull_request', 'synchronize', 'create-preview'],
  ['pull_request', 'ready_for_review', 'create-preview'],
  ['pull_request', 'closed', 'delete-preview'],
  ['pull_request_target', 'opened', 'create-preview'],
  ['pull_request_target', 'closed', 'delete-preview'],
  ['schedule', undefined, 'prune-previews'],
  ['workflow_dispatch', undefined, 'prune-previews'],
])('on %s (%s): %s', (name, action, operation) => {
  expect(operationFor({ name, action })).toBe(operation)
})

it.each([
  ['push', undefined],
  ['pull_request', 'labeled'],
  ['', undefined],
])('on %s (%s): an error that lists what is supported', (name, action) => {
  expect(() => operationFor({ name, action })).toThrow(
    expect.objectContaining({
      next: expect.stringContaining(
        'pull_request (opened, reopened, synchronize, ready_for_review, closed), schedule',
      ),
    }),
  )
})
