import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hashRepository,
  isPreviewPrefix,
  parsePreviewBase,
  parsePreviewName,
  previewBaseOf,
  renderPreviewBase,
} from '../../src/preview/name.ts'

describe('the name of a preview', () => {
  it('starts with prefix, number and 8 hexadecimal digits of the repository', () => {
    const name = renderPreviewBase({
      prefix: 'shop',
      pullRequest: 12,
      repositoryHash: hashRepository('123456'),
    })
    expect(name).toBe('shop-pr-12-8d969eef')
  })

  it('reads back, whatever the prefix, and stays within 63 characters of a-z, 0-9 and "-"', () => {
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
          expect(parsePreviewName(name)).toEqual({ ...parts, random })
          expect(previewBaseOf(name)).toBe(base)
        },
      ),
    )
  })

  it.each([
    'production',
    'preview-pr-12',
    'preview-pr-12-8d969eef',
    'preview-pr-0-8d969eef-abc123',
    'preview-pr-012-8d969eef-abc123',
    'preview-pr-12-8D969EEF-abc123',
    'preview-pr-12-8d969eef-abc12',
    'preview-pr-12-8d969eef-abc1234',
    'preview-pr-12-8d969eef-ABC123',
    ' preview-pr-12-8d969eef-abc123',
    'Preview-pr-12-8d969eef-abc123',
    '-pr-12-8d969eef-abc123',
    'preview-pr-12-8d969eef-abc123\n',
    `${'a'.repeat(34)}-pr-12-8d969eef-abc123`,
  ])('is not %j', name => {
    expect(parsePreviewName(name)).toBeUndefined()
  })

  it('takes the last number of a prefix that looks like a name itself', () => {
    expect(parsePreviewName('a-pr-1-00000000-pr-2-11111111-abc123')).toEqual({
      prefix: 'a-pr-1-00000000',
      pullRequest: 2,
      repositoryHash: '11111111',
      random: 'abc123',
    })
  })
})
