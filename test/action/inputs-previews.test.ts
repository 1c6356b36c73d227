import { describe, expect, it, test } from 'vitest'
import { operations } from '../../src/action/operation-table.ts'
import { access, readGiven, refusalOf, type Texts } from '../support/given-inputs.ts'

const readPreview = (texts: Texts) => readGiven({ ...access, ...texts }).settings.preview
const prune = { operation: 'prune-previews' }

describe('the settings of previews', () => {
  it('have defaults', () => {
    expect(readPreview({ operation: 'create-preview' })).toEqual({
      namePrefix: 'preview',
      pullRequest: undefined,
      previewName: undefined,
      comment: true,
      maxAge: undefined,
      minAge: 30 * 60_000,
      maxDeletions: 10,
    })
  })

  test.each<[Texts, object]>([
    [{ operation: 'create-preview', name_prefix: 'demo' }, { namePrefix: 'demo' }],
    [{ operation: 'delete-preview', pull_request: '12' }, { pullRequest: 12 }],
    [{ operation: 'create-preview', preview_name: 'x-pr-7-0a1b2c3d' }, { previewName: 'x-pr-7-0a1b2c3d' }],
    [{ operation: 'preview', comment: 'false' }, { comment: false }],
    [{ ...prune, max_age: '14d' }, { maxAge: 14 * 86_400_000 }],
    [{ ...prune, min_age: '1ms' }, { minAge: 1 }],
    [{ ...prune, max_deletions: '2' }, { maxDeletions: 2 }],
  ])('are read: %j', (texts, expected) => {
    expect(readPreview(texts)).toMatchObject(expected)
  })
})

test.each([...operations.keys()])('dry_run is taken by %s', operation => {
  expect(refusalOf({ operation, dry_run: 'maybe' })).toContain('dry_run: expected true or false')
  expect(operations.get(operation)?.inputs).not.toContain('dry_run')
})

test.each<[Texts, boolean]>([
  [{}, false],
  [{ dry_run: 'false' }, false],
  [{ dry_run: 'true' }, true],
])('a dry run is asked for by %j: %s', (texts, dryRun) => {
  const inputs = readGiven({ ...access, operation: 'delete-service', service_id: 's1', ...texts })
  expect(inputs).toMatchObject({ settings: { dryRun }, warnings: [] })
})

test.each(['preview', 'create-preview', 'delete-preview', 'prune-previews', 'get-connection'])(
  'cleanup is refused for %s: a preview is of its pull request, not of one job',
  operation => {
    expect(refusalOf({ ...access, operation, cleanup: 'always' })).toContain(
      `cleanup: not for ${operation}; a preview belongs to its pull request`,
    )
  },
)
