/** Tests the decisions of prune. */
import { expect, it } from 'vitest'
import { decide, type SubjectFacts } from '#preview/on-github/prune-decision'

const minute = 60_000
const hour = 60 * minute
const now = Date.parse('2026-01-31T12:00:00Z')

/** The facts that decide about one preview. Times in milliseconds. */
interface Circumstances {
  age?: number | undefined
  closedFor?: number
  maxAge?: number
  state?: SubjectFacts['state']
  labels?: string[]
}

function decideIn({ age, closedFor, maxAge, state = 'open', labels = [] }: Circumstances) {
  const preview = { minAge: 30 * minute, maxAge, keepLabels: ['Keep'] }
  const context = { client: { date: () => now }, settings: { preview } }
  const created = age === undefined ? undefined : new Date(now - age).toISOString()
  const closedAt = closedFor === undefined ? undefined : now - closedFor
  return decide(context as never, { service_id: 's1', created }, { state, labels, closedAt })
}

it.each<[string, Circumstances, boolean, string]>([
  ['an open pull request', {}, false, 'its pull request is open'],
  ['a closed one', { state: 'closed' }, true, 'its pull request is closed'],
  ['one that does not exist', { state: 'missing' }, true, 'its pull request does not exist'],
  ['a closed one, just created', { state: 'closed', age: 29 * minute }, false, 'younger than 30m 00s'],
  [
    'one that does not exist, its preview just created',
    { state: 'missing', age: 29 * minute },
    false,
    'younger than 30m 00s',
  ],
  ['an entry of the queue', { state: 'queued' }, false, 'its entry is in the merge queue'],
  ['an entry of the queue, too old', { state: 'queued', maxAge: hour }, true, 'older than 1h 00m'],
  ['an entry that left', { state: 'left' }, true, 'its entry has left the merge queue'],
  [
    'an entry that left, its preview just created',
    { state: 'left', age: minute },
    false,
    'younger than 30m 00s',
  ],
  ['an open one, too old', { maxAge: hour }, true, 'older than 1h 00m'],
  [
    'an open one, too old, with the label',
    { maxAge: hour, labels: ['keep'] },
    false,
    'its pull request has the label keep',
  ],
  ['a closed one with the label', { state: 'closed', labels: ['keep'] }, true, 'its pull request is closed'],
  [
    'a missing one with the label',
    { state: 'missing', labels: ['keep'] },
    true,
    'its pull request does not exist',
  ],
  ['an open one, exactly as old as it may be', { maxAge: 2 * hour }, false, 'its pull request is open'],
  ['an open one, not too old', { maxAge: 3 * hour }, false, 'its pull request is open'],
  ['an unknown age', { state: 'closed', age: undefined }, false, 'its age is not known'],
  [
    'an unknown age, closed long ago',
    { state: 'closed', age: undefined, closedFor: hour },
    true,
    'its pull request is closed',
  ],
  [
    'an unknown age, closed just now',
    { state: 'closed', age: undefined, closedFor: minute },
    false,
    'younger than 30m 00s',
  ],
  [
    'an unknown age, open again',
    { state: 'open', age: undefined, closedFor: hour },
    false,
    'its age is not known',
  ],
  ['an age in the future', { state: 'closed', age: -hour }, false, 'younger than 30m 00s'],
])('%s', (_, changes, deleted, reason) => {
  expect(decideIn({ age: 2 * hour, ...changes })).toEqual({ delete: deleted, reason })
})
