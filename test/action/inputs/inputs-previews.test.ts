/** Tests the inputs of previews. */
import { describe, expect, it, test } from 'vitest'
import { operations } from '#action/inputs/operation-table'
import { access, readTestInputs, refusalOf, type Texts, warningsOf } from '../../support/test-inputs.ts'

const readPreview = (texts: Texts) => readTestInputs({ ...access, ...texts }).settings.preview
const prune = { operation: 'prune-previews' }

describe('the settings of previews', () => {
  it('have defaults', () => {
    expect(readPreview({ operation: 'create-preview', service_id: 's1' })).toMatchObject({
      namePrefix: undefined,
      pullRequest: undefined,
      previewName: undefined,
      empty: false,
      labels: undefined,
      drafts: true,
      comment: true,
      pooler: false,
      maxAge: undefined,
      pauseAfter: undefined,
      keepLabels: ['keep-preview'],
      maxPreviews: undefined,
      minAge: 30 * 60_000,
      maxDeletions: 10,
    })
  })

  test.each<[Texts, object]>([
    [{ operation: 'create-preview', service_id: 's1', name_prefix: 'demo' }, { namePrefix: 'demo' }],
    [{ operation: 'preview', empty: 'true', label: 'preview' }, { labels: ['preview'] }],
    [
      { operation: 'preview', empty: 'true', label: 'one, Two words,\n three,' },
      { labels: ['one', 'Two words', 'three'] },
    ],
    [{ ...prune, keep_label: 'keep, keep-preview' }, { keepLabels: ['keep', 'keep-preview'] }],
    [{ ...prune, keep_label: 'keep\nkeep-preview\n' }, { keepLabels: ['keep', 'keep-preview'] }],
    [{ operation: 'preview', empty: 'true', drafts: 'false' }, { drafts: false }],
    [{ operation: 'delete-preview', pull_request: '12' }, { pullRequest: 12 }],
    [{ operation: 'get-connection', preview_name: 'x-pr-7-0a1b2c3d' }, { previewName: 'x-pr-7-0a1b2c3d' }],
    [{ operation: 'create-preview', empty: 'true' }, { empty: true }],
    [{ operation: 'preview', comment: 'false' }, { comment: false }],
    [{ ...prune, max_age: '14d' }, { maxAge: 14 * 86_400_000 }],
    [{ ...prune, min_age: '1ms' }, { minAge: 1 }],
    [{ ...prune, max_deletions: '2' }, { maxDeletions: 2 }],
    [{ ...prune, max_deletions: '10000' }, { maxDeletions: 10_000 }],
  ])('are read from %j', (texts, expected) => {
    expect(readPreview(texts)).toMatchObject(expected)
  })
})

test.each([...operations.keys()])('dry_run is accepted by %s', operation => {
  expect(refusalOf({ operation, dry_run: 'maybe' })).toContain('dry_run: expected true or false')
  expect(operations.get(operation)?.inputs).not.toContain('dry_run')
})

test.each<[Texts, boolean]>([
  [{}, false],
  [{ dry_run: 'false' }, false],
  [{ dry_run: 'true' }, true],
])('%j requests a dry run: %s', (texts, dryRun) => {
  const inputs = readTestInputs({ ...access, operation: 'delete-service', service_id: 's1', ...texts })
  expect(inputs).toMatchObject({ settings: { dryRun }, warnings: [] })
})

test.each(['preview', 'create-preview', 'delete-preview', 'prune-previews', 'get-connection'])(
  'cleanup is rejected for %s, because a preview belongs to its pull request',
  operation => {
    expect(refusalOf({ ...access, operation, cleanup: 'always' })).toContain(
      `cleanup: not for ${operation}; a preview belongs to its pull request`,
    )
  },
)

describe("the origin of a preview's data", () => {
  const event = (name: string, action?: string) => ({ name, action })
  const arrivedEmpty =
    'service_id: expected the id of the parent, but the input arrived empty: check the name of the variable that it comes from, or set `empty: true` for previews without data'
  const both = 'empty: expected either service_id or `empty: true`, got both'

  test.each<[string, Texts, object, string]>([
    ['create-preview', {}, event('push'), arrivedEmpty],
    ['create-preview', { service_id: '', empty: 'false' }, event('push'), arrivedEmpty],
    ['create-preview', { service_id: ' ' }, event('pull_request', 'closed'), arrivedEmpty],
    ['create-preview', { service_id: 's1', empty: 'true' }, event('push'), both],
    ['preview', {}, event('pull_request', 'opened'), arrivedEmpty],
    ['preview', { empty: 'false' }, event('pull_request_target', 'synchronize'), arrivedEmpty],
    ['preview', { service_id: 's1', empty: 'true' }, event('pull_request', 'reopened'), both],
  ])('is required: %s rejects %j on %j', (operation, texts, on, problem) => {
    expect(refusalOf({ ...access, operation, ...texts }, on)).toBe(problem)
  })

  it('is reported as missing together with all other problems', () => {
    const texts = { operation: 'create-preview', comment: 'maybe' }
    expect(refusalOf({ ...access, ...texts })).toMatch(
      /^2 problems with the inputs: comment: .*; service_id: /,
    )
  })

  it('is not reported as missing if the id is wrong', () => {
    const texts = { operation: 'create-preview', service_id: '../s1' }
    expect(refusalOf({ ...access, ...texts })).toMatch(/^service_id: (?!.*service_id)/)
  })

  test.each<[string, Texts, object]>([
    ['create-preview', { service_id: 's1' }, event('push')],
    ['create-preview', { service_id: 's1', empty: 'false' }, event('push')],
    ['create-preview', { empty: 'true' }, event('push')],
    ['preview', { empty: 'true' }, event('pull_request', 'opened')],
    ['preview', {}, event('pull_request', 'closed')],
    ['preview', { service_id: 's1', empty: 'true' }, event('pull_request', 'closed')],
    ['preview', {}, event('schedule')],
    ['delete-preview', {}, event('pull_request', 'opened')],
    ['prune-previews', {}, event('schedule')],
    ['get-connection', {}, event('pull_request', 'opened')],
  ])('is not required: %s accepts %j on %j', (operation, texts, on) => {
    expect(warningsOf(readTestInputs({ ...access, operation, ...texts }, on))).toEqual([])
  })
})

test.each(['max_age', 'min_age', 'pause_after'])('%s may be years, since no timer waits for it', name => {
  const setting = { max_age: 'maxAge', min_age: 'minAge', pause_after: 'pauseAfter' }[name] as 'maxAge'
  const { settings } = readTestInputs({ operation: 'prune-previews', ...access, [name]: '400d' })
  expect(settings.preview[setting]).toBe(400 * 86_400_000)
})
