import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hashRepository,
  isPreviewPrefix,
  parsePreviewName,
  renderPreviewName,
} from '../../src/preview/name.ts'

describe('the name of a preview', () => {
  it('is prefix, number and 8 hexadecimal digits of the repository', () => {
    const name = renderPreviewName({
      prefix: 'shop',
      pullRequest: 12,
      repositoryHash: hashRepository('123456'),
    })
    expect(name).toBe('shop-pr-12-8d969eef')
  })

  it('reads back, whatever the prefix, and stays within 63 characters of a-z, 0-9 and "-"', () => {
    const prefixes = fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/).filter(isPreviewPrefix)
    fc.assert(
      fc.property(
        prefixes,
        fc.integer({ min: 1, max: 9_999_999_999 }),
        fc.string(),
        (prefix, pullRequest, id) => {
          const parts = { prefix, pullRequest, repositoryHash: hashRepository(id) }
          const name = renderPreviewName(parts)
          expect(name).toMatch(/^[a-z0-9-]{1,63}$/)
          expect(parsePreviewName(name)).toEqual(parts)
        },
      ),
    )
  })

  it.each([
    'production',
    'preview-pr-12',
    'preview-pr-0-8d969eef',
    'preview-pr-012-8d969eef',
    'preview-pr-12-8D969EEF',
    'preview-pr-12-8d969eef-fork',
    ' preview-pr-12-8d969eef',
    'Preview-pr-12-8d969eef',
    '-pr-12-8d969eef',
    'preview-pr-12-8d969eef\n',
  ])('is not %j', name => {
    expect(parsePreviewName(name)).toBeUndefined()
  })

  it('takes the last number of a prefix that looks like a name itself', () => {
    expect(parsePreviewName('a-pr-1-00000000-pr-2-11111111')).toEqual({
      prefix: 'a-pr-1-00000000',
      pullRequest: 2,
      repositoryHash: '11111111',
    })
  })
})
