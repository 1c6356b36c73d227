/** Tests the adoption of the project under another name. */
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Adoption, adopt, isReviewer } from '../../tools/adopt/adopt.ts'
import {
  isFullName,
  namesTheAction,
  placeholder,
  publishedName,
  type Texts,
} from '../../tools/release/published-name.ts'
import { readTexts } from '../../tools/release/tree.ts'

const root = resolve(import.meta.dirname, '../..')
const description = (repository?: string) =>
  `${JSON.stringify({ name: 'x', ...(repository && { repository }), license: 'MIT' }, null, 2)}\n`

/** All texts as an adoption leaves them. */
function adoptTree(texts: Texts, adoption: Adoption): Texts {
  const { written, deleted } = adopt(texts, adoption)
  return new Map([...texts, ...written].filter(([path]) => !deleted.includes(path)))
}

/** The package, its archive and its command keep their name. */
const ofPackage =
  /npx --no managed-database-action|managed-database-action(?:\/emulator|-(?:\d+\.\d+\.\d+|VERSION)\.tgz)/g

describe('adopting', () => {
  it('writes the name into every file of this tree that names it, and replaces it by a second name', () => {
    const texts = readTexts(root)
    const adoption = { fullName: 'first-owner/first-name', reviewer: '@first-owner/team' }
    const first = adoptTree(texts, adoption)
    const second = adoptTree(first, { fullName: 'other-team/databases', reviewer: '@somebody' })
    for (const [path, text] of first) expect(text, path).not.toMatch(/\bOWNER(?:_OF_YOUR_COPY|\/)/)
    for (const [path, text] of second) expect(text, path).not.toMatch(/first-(?:owner|name)/)
    expect(second.get('README.md')).toMatch(/^# databases$/m)
    expect(second.get('emulator/action.yml')).toMatch(/^author: databases authors$/m)
    expect(second.get('examples/preview.yml')).toContain('uses: other-team/databases/preview@v')
    expect(second.get('.github/CODEOWNERS')).toContain('* @somebody\n')
    expect(JSON.parse(second.get('package.json') ?? '')).toMatchObject({
      repository: 'github:other-team/databases',
    })
  })

  it('changes nothing if the name is already there', () => {
    const adopted = adoptTree(readTexts(root), { fullName: 'acme/databases' })
    expect(adopt(adopted, { fullName: 'acme/databases' })).toEqual({ written: new Map(), deleted: [] })
  })

  it('replaces the placeholders that a merge from the original adds', () => {
    const texts = new Map([
      ['package.json', description('github:acme/db')],
      ['docs/new.md', `uses: ${placeholder}/preview@v1`],
    ])
    expect(adoptTree(texts, { fullName: 'acme/db' }).get('docs/new.md')).toBe('uses: acme/db/preview@v1')
  })

  it("removes the paragraph of the README's box about the adoption", () => {
    const box = '> [!IMPORTANT]\n> **Not adopted yet.** Adopt\n> it.\n>\n> **Tested.** Yes.\n'
    const texts = new Map([
      ['package.json', description()],
      ['README.md', box],
    ])
    expect(adopt(texts, { fullName: 'acme/db' }).written.get('README.md')).toBe(
      '> [!IMPORTANT]\n> **Tested.** Yes.\n',
    )
  })

  const owners = '.github/CODEOWNERS'
  it.each([
    ['deletes the file that names the placeholder', '* @OWNER_OF_YOUR_COPY\n', undefined, undefined],
    [
      'names the reviewer in its place',
      '# a\n* @OWNER_OF_YOUR_COPY\n',
      '@acme/platform',
      '# a\n* @acme/platform\n',
    ],
    ['creates the file for a reviewer', undefined, '@acme/platform', '* @acme/platform\n'],
    [
      'keeps the owners that are named',
      '* @acme/platform\n/src/ @bo\n',
      undefined,
      '* @acme/platform\n/src/ @bo\n',
    ],
    ['replaces the owner of all files', '* @acme/a\n/src/ @bo\n', '@acme/b', '* @acme/b\n/src/ @bo\n'],
  ])('CODEOWNERS: %s', (_, before, reviewer, after) => {
    const texts = new Map([['package.json', description()], ...(before ? [[owners, before] as const] : [])])
    expect(adoptTree(texts, { fullName: 'acme/db', reviewer }).get(owners)).toBe(after)
  })

  const checks = ['nightly', 'codeql', 'scorecard', 'systems'].map(name => `.github/workflows/${name}.yml`)
  const workflows = (repository?: string): Texts =>
    new Map([
      ['package.json', description(repository)],
      ...checks.map((path): [string, string] => [path, 'name: Check\n']),
      ['.github/workflows/ci.yml', '        system: [ubuntu-latest, macos-latest, windows-latest]\n'],
    ])
  it.each([
    ['leaves out the checks that only development needs', undefined, undefined, []],
    ['keeps them on request', undefined, true, checks],
    ['keeps those that an earlier adoption kept', 'github:acme/old', undefined, checks],
  ])('%s', (_, repository, allChecks, kept) => {
    const adopted = adoptTree(workflows(repository), { fullName: 'acme/db', allChecks })
    expect(checks.filter(path => adopted.has(path))).toEqual(kept)
    expect(adopted.get('.github/workflows/ci.yml')?.trim()).toBe(
      kept.length > 0 ? 'system: [ubuntu-latest, macos-latest, windows-latest]' : 'system: [ubuntu-latest]',
    )
  })

  it('finds all names and checks of this tree, unless it is adopted', () => {
    const texts = readTexts(root)
    if (publishedName(texts.get('package.json') ?? '') !== placeholder) return
    const { written, deleted } = adopt(texts, { fullName: 'acme/db' })
    expect(deleted).toEqual([owners, ...checks])
    expect(written.get('.github/workflows/ci.yml')).not.toMatch(/macos|windows/)
    expect(written.get('README.md')).not.toContain('Not adopted yet')
    // In an adopted tree the name may be an ordinary word, so only this name can be searched for.
    for (const [path, text] of adoptTree(texts, { fullName: 'acme/db' }))
      if (namesTheAction(path))
        expect(text.replace(ofPackage, ''), path).not.toContain('managed-database-action')
  })

  it.each([
    ['@acme/platform', true],
    ['@some-body', true],
    ['@OWNER_OF_YOUR_COPY', false],
    ['acme/platform', false],
    ['@acme/', false],
    ['@acme/a/b', false],
    ['@a @b', false],
    ['', false],
  ])('the reviewer "%s" is valid: %s', (text, valid) => {
    expect(isReviewer(text)).toBe(valid)
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
  ])('renames %s correctly', (_, before, after) => {
    const texts = new Map([
      ['package.json', description()],
      ['README.md', before],
    ])
    expect(adoptTree(texts, { fullName: 'acme/db' }).get('README.md')).toBe(after)
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
  ])('rejects the name "%s"', name => {
    expect(isFullName(name)).toBe(false)
  })

  it.each(['a/x', 'ac-me/x.y_z', `${'a'.repeat(39)}/x`, 'ac-me_corp/x'])('accepts the name "%s"', name => {
    expect(isFullName(name)).toBe(true)
  })

  it('uses a placeholder until then that no account can own', () => {
    expect(isFullName(placeholder)).toBe(false)
    // Of the underscores that a name may not have, GitHub makes one exception: one of them.
    expect(placeholder.split('/')[0]?.match(/_/g)?.length).toBeGreaterThan(1)
  })

  it('does not change sources and tests', () => {
    const texts = new Map([
      ['package.json', description()],
      ['src/notes.md', 'OWNER_OF_YOUR_COPY/managed-database-action'],
    ])
    expect([...adopt(texts, { fullName: 'acme/db' }).written.keys()]).toEqual(['package.json'])
  })
})
