import { describe, expect, it, test } from 'vitest'
import { access, readGiven, refusalOf, type Texts } from '../support/given-inputs.ts'

const readPreview = (texts: Texts) => readGiven({ ...access, ...texts }).settings.preview
const prune = { operation: 'prune-previews' }

describe('the settings of previews', () => {
  it('have defaults', () => {
    expect(readPreview({ operation: 'create-preview' })).toEqual({
      namePrefix: undefined,
      pullRequest: undefined,
      previewName: undefined,
      label: undefined,
      drafts: true,
      comment: true,
      dryRun: false,
      maxAge: undefined,
      minAge: 30 * 60_000,
      maxDeletions: 10,
    })
  })

  test.each<[Texts, object]>([
    [{ operation: 'create-preview', name_prefix: 'demo' }, { namePrefix: 'demo' }],
    [{ operation: 'preview', label: 'preview' }, { label: 'preview' }],
    [{ operation: 'preview', drafts: 'false' }, { drafts: false }],
    [{ operation: 'delete-preview', pull_request: '12' }, { pullRequest: 12 }],
    [{ operation: 'create-preview', preview_name: 'x-pr-7-0a1b2c3d' }, { previewName: 'x-pr-7-0a1b2c3d' }],
    [{ operation: 'preview', comment: 'false' }, { comment: false }],
    [{ ...prune, dry_run: 'true' }, { dryRun: true }],
    [{ ...prune, max_age: '14d' }, { maxAge: 14 * 86_400_000 }],
    [{ ...prune, min_age: '1ms' }, { minAge: 1 }],
    [{ ...prune, max_deletions: '2' }, { maxDeletions: 2 }],
  ])('are read: %j', (texts, expected) => {
    expect(readPreview(texts)).toMatchObject(expected)
  })
})

test.each(['preview', 'create-preview', 'delete-preview', 'prune-previews', 'get-connection'])(
  'cleanup is refused for %s: a preview is of its pull request, not of one job',
  operation => {
    expect(refusalOf({ ...access, operation, cleanup: 'always' })).toContain(
      `cleanup: not for ${operation}; a preview belongs to its pull request`,
    )
  },
)
