import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adopt } from '../../tools/adopt/adopt.ts'
import { isFullName, placeholder } from '../../tools/release/published-name.ts'
import { readTexts } from '../../tools/release/tree.ts'

const root = resolve(import.meta.dirname, '../..')
const description = (repository?: string) =>
  `${JSON.stringify({ name: 'x', ...(repository && { repository }), license: 'MIT' }, null, 2)}\n`

describe('adopting', () => {
  it('writes the name into everything of this tree that names it, and a second name over the first', () => {
    const texts = readTexts(root)
    const first = new Map([...texts, ...adopt(texts, 'first-owner/first-name')])
    const second = new Map([...first, ...adopt(first, 'other-team/databases')])
    expect([...adopt(texts, 'first-owner/first-name').keys()]).toEqual(
      expect.arrayContaining(['README.md', 'package.json', '.github/CODEOWNERS', 'examples/preview.yml']),
    )
    for (const [path, text] of first) expect(text, path).not.toMatch(/\bOWNER(?:_OF_YOUR_COPY|\/)/)
    for (const [path, text] of second) expect(text, path).not.toMatch(/first-owner/)
    expect(second.get('examples/preview.yml')).toContain('uses: other-team/databases/preview@v')
    expect(second.get('.github/CODEOWNERS')).toContain('* @other-team')
    expect(JSON.parse(second.get('package.json') ?? '')).toMatchObject({
      repository: 'github:other-team/databases',
    })
  })

  it('changes nothing where the name is in place', () => {
    const texts = readTexts(root)
    const adopted = new Map([...texts, ...adopt(texts, 'acme/databases')])
    expect([...adopt(adopted, 'acme/databases').keys()]).toEqual([])
  })

  it.each([
    ['the action itself', 'uses: OWNER_OF_YOUR_COPY/managed-database-action@v1', 'uses: acme/db@v1'],
    [
      'a part of it',
      'uses: OWNER_OF_YOUR_COPY/managed-database-action/preview@v1',
      'uses: acme/db/preview@v1',
    ],
    [
      'its address',
      '[it](https://github.com/OWNER_OF_YOUR_COPY/managed-database-action/x)',
      '[it](https://github.com/acme/db/x)',
    ],
    ['its name in a sentence', 'Write OWNER_OF_YOUR_COPY/managed-database-action.', 'Write acme/db.'],
    [
      'one that begins alike',
      'OWNER_OF_YOUR_COPY/managed-database-action-fork',
      'OWNER_OF_YOUR_COPY/managed-database-action-fork',
    ],
    [
      'one that ends alike',
      'NO_OWNER_OF_YOUR_COPY/managed-database-action',
      'NO_OWNER_OF_YOUR_COPY/managed-database-action',
    ],
  ])('renames %s as it should', (_, before, after) => {
    const texts = new Map([
      ['package.json', description()],
      ['README.md', before],
    ])
    expect(adopt(texts, 'acme/db').get('README.md') ?? before).toBe(after)
  })

  it.each([
    '',
    'acme',
    'acme/',
    '/x',
    'acme/x/y',
    'acme/..',
    '-acme/x',
    'acme-/x',
    'ac--me/x',
    `${'a'.repeat(40)}/x`,
    'ac me/x',
    'https://github.com/acme/x',
  ])('refuses the name "%s"', name => {
    expect(isFullName(name)).toBe(false)
  })

  it.each(['a/x', 'ac-me/x.y_z', `${'a'.repeat(39)}/x`, 'ac-me_corp/x'])('takes the name "%s"', name => {
    expect(isFullName(name)).toBe(true)
  })

  it('stands for nobody until then: no account can have the name that is in its place', () => {
    expect(isFullName(placeholder)).toBe(false)
    // Of the underscores that a name may not have, GitHub makes one exception: one of them.
    expect(placeholder.split('/')[0]?.match(/_/g)?.length).toBeGreaterThan(1)
  })

  it('leaves sources and tests alone', () => {
    const texts = new Map([
      ['package.json', description()],
      ['src/notes.md', 'OWNER_OF_YOUR_COPY/managed-database-action'],
    ])
    expect([...adopt(texts, 'acme/db').keys()]).toEqual(['package.json'])
  })
})
