/** Tests the work that each event calls for. */
import { describe, expect, it, test } from 'vitest'
import { chooseWork, type Work } from '#preview/base/event-work'
import { defaultSettings } from '../simulator/default-settings.ts'
import { completeEvent, eventOf, queueEvent } from './support/inputs.ts'

type Given = Partial<Parameters<typeof chooseWork>[1]>

const call = (event: Parameters<typeof completeEvent>[0], given: Given = {}) =>
  chooseWork(completeEvent(event), { ...defaultSettings.preview, ...given })

const labeled = { labels: ['preview'] }
const withoutDrafts = { drafts: false }

describe('an event of a pull request', () => {
  it.each<[string, Given, Work]>([
    ['opened', {}, 'follow'],
    ['reopened', {}, 'follow'],
    ['synchronize', {}, 'follow'],
    ['ready_for_review', {}, 'follow'],
    ['closed', {}, 'delete-preview'],
    ['edited', {}, 'delete at most'],
    ['assigned', {}, 'delete at most'],
    ['auto_merge_enabled', {}, 'delete at most'],
    ['something_new', {}, 'delete at most'],
    ['labeled', {}, 'delete at most'],
    ['unlabeled', {}, 'delete at most'],
    ['converted_to_draft', {}, 'delete at most'],
    ['opened', labeled, 'follow'],
    ['labeled', labeled, 'follow'],
    ['unlabeled', labeled, 'follow'],
    ['edited', labeled, 'delete at most'],
    ['closed', labeled, 'delete-preview'],
    ['converted_to_draft', withoutDrafts, 'follow'],
    ['ready_for_review', withoutDrafts, 'follow'],
    ['edited', withoutDrafts, 'delete at most'],
    ['closed', { pullRequest: 7 }, 'delete-preview'],
    ['edited', { pullRequest: 7 }, 'delete at most'],
    // The state of one pull request has no bearing on another.
    ['closed', { pullRequest: 12 }, 'follow'],
    ['edited', { pullRequest: 12 }, 'follow'],
    ['edited', { previewName: 'preview-pr-12-0a1b2c3d' }, 'follow'],
  ])('%s, with %j: %s', (action, given, expected) => {
    expect(call(eventOf(action), given)).toBe(expected)
    expect(call({ ...eventOf(action), name: 'pull_request_target' }, given)).toBe(expected)
  })
})

it.each<[string, string | undefined, Given, Work]>([
  ['schedule', undefined, {}, 'prune-previews'],
  ['workflow_dispatch', undefined, {}, 'prune-previews'],
  ['workflow_dispatch', undefined, { pullRequest: 12 }, 'follow'],
  ['workflow_dispatch', undefined, { previewName: 'preview-pr-12-0a1b2c3d-abc123' }, 'follow'],
  ['push', undefined, {}, 'nothing'],
  ['push', undefined, { pullRequest: 12 }, 'follow'],
  ['issue_comment', 'created', {}, 'nothing'],
  ['pull_request_review', 'submitted', {}, 'nothing'],
])('on %s (%s), with %j: %s', (name, action, given, expected) => {
  expect(call({ name, action }, given)).toBe(expected)
})

it.each<[string, Given, Work]>([
  ['checks_requested', {}, 'create-preview'],
  ['checks_requested', { labels: ['preview'], drafts: false }, 'create-preview'],
  ['destroyed', {}, 'nothing'],
  ['checks_requested', { pullRequest: 12 }, 'follow'],
])('on merge_group (%s), with %j: %s', (action, given, expected) => {
  expect(call(queueEvent('a'.repeat(40), action), given)).toBe(expected)
})

test.each([
  ['', undefined],
  ['pull_request', undefined],
  ['pull_request_target', undefined],
  ['merge_group', undefined],
  ['merge_group', 'checks_requested'],
])('on %j (%s) without what it is about: an error, for a run elsewhere than on a runner', (name, action) => {
  expect(() => call({ name, action })).toThrow('has no readable payload')
})
