/** Tests the preparation of a release. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adopt } from '../../tools/adopt/adopt.ts'
import { closeUnreleased, readSection, renderNotes } from '../../tools/release/changelog.ts'
import { findBreaks } from '../../tools/release/interface.ts'
import {
  isLater,
  isVersion,
  lastInterface,
  mayBreak,
  prepareRelease,
  proposeVersion,
} from '../../tools/release/prepare.ts'
import { readTexts } from '../../tools/release/tree.ts'

const root = resolve(import.meta.dirname, '../..')
const day = '2026-11-21'

const action = `inputs:
  operation: { description: What, required: true }
  wait: { description: Wait, default: 'true' }
  old: { description: Old, deprecationMessage: gone soon }
outputs:
  host: { description: Host }
runs: { using: node24, main: dist/index.js }
`

const changelog = `# Changelog

## [Unreleased]

### Added

- Something new.

## [0.2.0] - 2026-01-01

- Something old.
`

const tree = (changes: Record<string, string> = {}) =>
  new Map(
    Object.entries({
      'package.json': '{"name":"x","version":"0.2.0","repository":"github:acme/db"}',
      'package-lock.json': '{"name":"x","version":"0.2.0","packages":{"":{"version":"0.2.0"}}}',
      'CHANGELOG.md': changelog,
      'action.yml': action,
      'README.md':
        'uses: acme/db@v0, acme/db/preview@v0.2.0, acme/db@0123abcd, other/db@v0, acme/db#v0, acme/db.git#v0',
      'ghes/preview.yml': 'uses: acme/db@v0.2.0',
      ...changes,
    }),
  )

describe('a release', () => {
  it('writes version, changelog, the tag in documents, and the copy for the next comparison', () => {
    const { changed, problems } = prepareRelease(tree(), '1.0.0', day)
    expect(problems).toEqual([])
    expect(JSON.parse(changed.get('package.json') ?? '')).toMatchObject({ version: '1.0.0' })
    expect(JSON.parse(changed.get('package-lock.json') ?? '')).toMatchObject({
      version: '1.0.0',
      packages: { '': { version: '1.0.0' } },
    })
    expect(changed.get('README.md')).toBe(
      'uses: acme/db@v1, acme/db/preview@v1, acme/db@0123abcd, other/db@v0, acme/db#v1, acme/db.git#v1',
    )
    expect(changed.get('ghes/preview.yml')).toBe('uses: acme/db@v1.0.0')
    expect(changed.get(lastInterface)).toBe(action)
    expect(changed.get('CHANGELOG.md')).toBe(
      changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [1.0.0] - ${day}\n`),
    )
  })

  it.each([
    ['a version that is none', tree(), '1.0', 'expected a version like 1.2.0, not "1.0"'],
    ['a version that is there already', tree(), '0.2.0', '0.2.0 does not come after 0.2.0'],
    ['an earlier version', tree(), '0.1.9', '0.1.9 does not come after 0.2.0'],
    ['an empty changelog', tree({ 'CHANGELOG.md': '## [Unreleased]\n' }), '1.0.0', 'has nothing under'],
    [
      'a first release that mends what nobody had',
      tree({ 'CHANGELOG.md': '## [Unreleased]\n\n### Added\n\n- A.\n\n### Fixed\n\n- B.\n' }),
      '1.0.0',
      'keep only "### Added"',
    ],
    [
      'a changelog without the heading',
      tree({ 'CHANGELOG.md': '' }),
      '1.0.0',
      'no heading "## [Unreleased]"',
    ],
    ['a copy that nobody adopted', tree({ 'package.json': '{"version":"0.2.0"}' }), '1.0.0', 'npm run adopt'],
    [
      'an interface that broke',
      tree({ [lastInterface]: action.replace('wait:', 'await:') }),
      '0.2.1',
      'the input await is gone and was not deprecated before: release it as 1.0.0',
    ],
  ])('rejects %s, and changes nothing', (_, texts, version, problem) => {
    const { changed, problems } = prepareRelease(texts, version, day)
    expect(problems.join()).toContain(problem)
    expect(changed.size).toBe(0)
  })

  it('may fix a problem of an earlier one', () => {
    const mended = changelog.replace('### Added', '### Fixed')
    expect(prepareRelease(tree({ 'CHANGELOG.md': mended }), '1.0.0', day).problems).toEqual([])
  })

  it('may break the interface with a new major version', () => {
    const texts = tree({ [lastInterface]: action.replace('wait:', 'await:') })
    expect(prepareRelease(texts, '1.0.0', day).problems).toEqual([])
  })

  it.each([
    ['the first one that is promised to last', tree(), '1.0.0'],
    ['a minor one', tree({ 'package.json': '{"version":"1.2.3"}', [lastInterface]: action }), '1.3.0'],
    [
      'a major one where the interface broke',
      tree({ 'package.json': '{"version":"1.2.3"}', [lastInterface]: action.replace('wait:', 'await:') }),
      '2.0.0',
    ],
  ])('proposes %s', (_, texts, version) => {
    expect(proposeVersion(texts)).toBe(version)
  })

  it('has its changes and its pin in its notes', () => {
    const closed = closeUnreleased(changelog, '1.0.0', day)
    const sha = 'a'.repeat(40)
    const notes = renderNotes(closed, { name: 'acme/db', version: '1.0.0', sha })
    expect(notes).toContain('- Something new.')
    expect(notes).not.toContain('Something old')
    expect(notes).toContain(`uses: acme/db@${sha} # v1.0.0`)
  })

  it('can be created from this tree; the next one then needs only a changelog', () => {
    const texts = readTexts(root)
    const adopted = new Map([...texts, ...adopt(texts, { fullName: 'acme/databases' }).written])
    // Right after a release nothing is unreleased.
    const written = (adopted.get('CHANGELOG.md') ?? '').replace('## [Unreleased]\n', '$&\n- Something new.\n')
    const tree = new Map([...adopted, ['CHANGELOG.md', written]])
    const { changed, problems } = prepareRelease(tree, '999.0.0', day)
    expect(problems).toEqual([])
    // The box of the README still states the test that is missing.
    expect(changed.get('README.md') ?? adopted.get('README.md')).toMatch(
      /^> \[!IMPORTANT\]\n> \*\*Not yet tested/m,
    )
    const next = prepareRelease(new Map([...tree, ...changed]), '999.0.1', day)
    expect(next.problems).toEqual([expect.stringContaining('has nothing under "## [Unreleased]"')])
    // An unadopted tree must not be released in any case.
    const stranger = prepareRelease(new Map([...tree, ['package.json', '{"version":"0.1.0"}']]), '1.0.0', day)
    expect(stranger.problems).toEqual([expect.stringContaining('npm run adopt')])
  })
})

describe('a breaking change', () => {
  it.each([
    ['nothing', action, []],
    ['a new optional input', action.replace('inputs:', 'inputs:\n  more: { description: M }'), []],
    ['an input that was deprecated', action.replace(/ {2}old.*\n/, ''), []],
    ['another description', action.replace('What', 'Which'), []],
    [
      'an input that is gone',
      action.replace(/ {2}wait.*\n/, ''),
      ['the input wait is gone and was not deprecated before'],
    ],
    [
      'an input that is required now',
      action.replace("default: 'true'", 'required: true'),
      ['the input wait is required now', 'the default of the input wait was "true" and is ""'],
    ],
    [
      'a new required input',
      action.replace('inputs:', 'inputs:\n  key: { required: true }'),
      ['the new input key is required'],
    ],
    [
      'another default',
      action.replace("'true'", "'false'"),
      ['the default of the input wait was "true" and is "false"'],
    ],
    ['an output that is gone', action.replace(/ {2}host.*\n/, '  port: {}\n'), ['the output host is gone']],
    ['another runtime', action.replace('node24', 'node26'), ['it runs on node26 in place of node24']],
  ])('%s', (_, now, breaks) => {
    expect(findBreaks(action, now)).toEqual(breaks)
  })

  // Before the first release there is nothing to break.
  it.runIf(existsSync(resolve(root, lastInterface)))('is not in the current action.yml', () => {
    const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(findBreaks(read(lastInterface), read('action.yml')), `since ${version}`).toEqual([])
  })
})

describe('versions', () => {
  it.each([
    ['2.0.0', '1.9.9', true],
    ['1.3.0', '1.2.0', false],
    ['0.3.0', '0.2.9', true],
    ['0.2.9', '0.2.8', false],
  ])('%s after %s may break: %s', (next, last, expected) => {
    expect(mayBreak(next, last)).toBe(expected)
  })

  it.each([
    ['1.10.0', '1.9.0', true],
    ['2.0.0', '10.0.0', false],
    ['1.2.0', '1.2.0', false],
  ])('%s comes after %s: %s', (one, other, expected) => {
    expect(isLater(one, other)).toBe(expected)
  })

  it.each(['01.0.0', '1.0.0-rc.1', 'v1.0.0', '1.0.0 ', ''])('rejects "%s"', text => {
    expect(isVersion(text)).toBe(false)
  })
})

it('reads a section of the changelog up to the next heading, a link, or the end', () => {
  expect(readSection(changelog, 'Unreleased')).toBe('### Added\n\n- Something new.')
  expect(readSection('## [1.0.0]\n\n- All.\n\n[1.0.0]: https://x\n', '1.0.0')).toBe('- All.')
  expect(readSection('## [1.0.0]\n\n- All.\n', '1.0.0')).toBe('- All.')
})
