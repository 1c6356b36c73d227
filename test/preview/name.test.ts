/** Tests the grammar of preview names. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hashRepository,
  isPreviewPrefix,
  parsePreviewBase,
  parsePreviewName,
  previewBaseOf,
  queueEntryOf,
  renderPreviewBase,
} from '#preview/base/name'

describe('the name of a preview', () => {
  it('starts with prefix, number and 8 hexadecimal digits of the repository', () => {
    const name = renderPreviewBase({
      prefix: 'shop',
      pullRequest: 12,
      repositoryHash: hashRepository('123456'),
    })
    expect(name).toBe('shop-pr-12-8d969eef')
  })

  it('is another one for a repository of the same id on another server than github.com', () => {
    const hashes = [undefined, 'git.example', 'copy.git.example'].map(server =>
      hashRepository('123456', server),
    )
    expect(hashes).toEqual([
      '8d969eef',
      expect.stringMatching(/^[0-9a-f]{8}$/),
      expect.stringMatching(/^[0-9a-f]{8}$/),
    ])
    expect(new Set(hashes).size).toBe(3)
  })

  it('parses as rendered with any prefix, and stays within 63 characters of a-z, 0-9 and "-"', () => {
    const prefixes = fc.stringMatching(/^[a-z][a-z0-9-]{0,32}$/).filter(isPreviewPrefix)
    fc.assert(
      fc.property(
        prefixes,
        fc.integer({ min: 1, max: 9_999_999_999 }),
        fc.string(),
        fc.stringMatching(/^[a-z0-9]{6}$/),
        (prefix, pullRequest, id, random) => {
          const parts = { prefix, pullRequest, repositoryHash: hashRepository(id) }
          const base = renderPreviewBase(parts)
          const name = `${base}-${random}`
          expect(name).toMatch(/^[a-z0-9-]{1,63}$/)
          expect(parsePreviewBase(base)).toEqual(parts)
          expect(parsePreviewName(name)).toEqual(parts)
          expect(previewBaseOf(name)).toBe(base)
        },
      ),
    )
  })

  it('of an entry of the merge queue has the first digits of its commit', () => {
    const queueEntry = queueEntryOf('6dcb09b5b57875f334f61aebed695e2e4193db5e')
    const base = renderPreviewBase({ prefix: 'shop', queueEntry, repositoryHash: '8d969eef' })
    expect(base).toBe('shop-mq-6dcb09b5b5-8d969eef')
    const parts = { prefix: 'shop', queueEntry, repositoryHash: '8d969eef' }
    expect(parsePreviewBase(base)).toEqual(parts)
    expect(parsePreviewName(`${base}-abc123`)).toEqual(parts)
  })

  it('of the longest prefix has 63 characters for an entry of the merge queue too', () => {
    const prefix = 'a'.repeat(33)
    const base = renderPreviewBase({ prefix, queueEntry: '0123456789', repositoryHash: '8d969eef' })
    expect(`${base}-abc123`).toHaveLength(63)
    expect(previewBaseOf(`${base}-abc123`)).toBe(base)
  })

  it('is of the merge queue or of a pull request with any prefix', () => {
    expect(parsePreviewName('a-pr-1-00000000-mq-0123456789-11111111-abc123')).toEqual({
      prefix: 'a-pr-1-00000000',
      queueEntry: '0123456789',
      repositoryHash: '11111111',
    })
    expect(parsePreviewName('a-mq-0123456789-pr-1234567890-11111111-abc123')).toMatchObject({
      prefix: 'a-mq-0123456789',
      pullRequest: 1234567890,
    })
    // Digits fit both forms: the text before them decides.
    expect(parsePreviewName('a-mq-1234567890-11111111-abc123')?.pullRequest).toBeUndefined()
    expect(parsePreviewName('a-pr-1234567890-11111111-abc123')?.queueEntry).toBeUndefined()
  })

  it.each([
    'preview-mq-12-8d969eef-abc123',
    'preview-mq-6dcb09b5b-8d969eef-abc123',
    'preview-mq-6dcb09b5b57-8d969eef-abc123',
    'preview-mq-6DCB09B5B5-8d969eef-abc123',
    'preview-pr-6dcb09b5b5-8d969eef-abc123',
    'preview-mq-6dcb09b5b5-8d969eef',
    'production',
    'preview-pr-12',
    'preview-pr-12-8d969eef',
    'preview-pr-0-8d969eef-abc123',
    'preview-pr-012-8d969eef-abc123',
    'preview-pr-12-8D969EEF-abc123',
    'preview-pr-12-8d969eef-abc12',
    'preview-pr-12-8d969eef-abc1234',
    'preview-pr-12-8d969eef-ABC123',
    'preview-pr-12-8d969eef-abc-23',
    'preview-pr-12-8d969eef--abc12',
    'preview-pr-12-8d969eef-abc12-',
    'preview-mq-6dcb09b5b5-8d969eef-a-b-c1',
    ' preview-pr-12-8d969eef-abc123',
    'Preview-pr-12-8d969eef-abc123',
    '-pr-12-8d969eef-abc123',
    '7shop-pr-12-8d969eef-abc123',
    '7-mq-6dcb09b5b5-8d969eef-abc123',
    'preview-pr-12-8d969eef-abc123\n',
    `${'a'.repeat(34)}-pr-12-8d969eef-abc123`,
  ])('is not %j', name => {
    expect(parsePreviewName(name)).toBeUndefined()
  })

  it('uses the last number if the prefix itself looks like a name', () => {
    expect(parsePreviewName('a-pr-1-00000000-pr-2-11111111-abc123')).toEqual({
      prefix: 'a-pr-1-00000000',
      pullRequest: 2,
      repositoryHash: '11111111',
    })
  })
})
