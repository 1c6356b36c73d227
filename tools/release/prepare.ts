import { ChangelogError, closeUnreleased } from './changelog.ts'
import { findBreaks } from './interface.ts'
import { namesTheAction, placeholder, publishedName, type Texts } from './published-name.ts'
import { isLater, mayBreak, parseVersion, usualNext } from './version.ts'

/** A copy of the last release's action.yml, which the next release is compared with. */
export const lastInterface = 'tools/release/last-action.yml'

export interface Prepared {
  /** The texts that change, by path. */
  changed: Texts
  /** Why it cannot be released as it is, one sentence each with what to do. */
  problems: string[]
}

/** The version in package.json, and in the two places of its lock file. */
function writeVersion(texts: Texts, version: string, changed: Texts): void {
  const describe = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const description = JSON.parse(texts.get('package.json') ?? '{}')
  changed.set('package.json', describe({ ...description, version }))
  const lock = texts.get('package-lock.json')
  if (lock === undefined) return
  const locked = JSON.parse(lock)
  locked.version = version
  if (locked.packages?.['']) locked.packages[''].version = version
  changed.set('package-lock.json', describe(locked))
}

/** Points `acme/x@v1`, `acme/x/preview@v1` and `acme/x#v1` at the next version. Pins by SHA are the reader's own. */
function pointAt(text: string, name: string, tag: string): string {
  const escaped = name.replace(/[.]/g, '\\.')
  return text.replace(
    new RegExp(`(${escaped}(?:/[\\w./-]+|\\.git)?[@#])v\\d+(?:\\.\\d+\\.\\d+)?(?![\\w.])`, 'g'),
    `$1${tag}`,
  )
}

/** The paragraph of the README's box that says what the first release makes untrue. */
const notReleased = /^> \*\*Not released yet[\s\S]*?\n>\n/m

function breaksSinceLast(texts: Texts): string[] {
  const last = texts.get(lastInterface)
  return last === undefined ? [] : findBreaks(last, texts.get('action.yml') ?? '')
}

/** The version to propose where none is given. */
export function proposeVersion(texts: Texts): string {
  const { version } = JSON.parse(texts.get('package.json') ?? '{}') as { version: string }
  return usualNext(parseVersion(version) ?? [0, 0, 0], breaksSinceLast(texts).length > 0)
}

function checkVersion(version: string, last: string, breaks: string[]): string[] {
  const next = parseVersion(version)
  const before = parseVersion(last)
  if (next === undefined) return [`expected a version like 1.2.0, not "${version}"`]
  if (before === undefined) return [`package.json has the version "${last}", expected one like 1.2.0`]
  if (!isLater(next, before)) return [`${version} does not come after ${last}, the version of package.json`]
  if (breaks.length === 0 || mayBreak(next, before)) return []
  const major = `${before[0] + 1}.0.0`
  return breaks.map(
    broken => `${broken}: release it as ${major}, or keep it (CONTRIBUTING.md, "What is a breaking change")`,
  )
}

/**
 * What a release changes in the tree: version, changelog, the tag that documents and examples point at, and the copy
 * of `action.yml` that the release after it is compared with. Nothing is written here.
 *
 * @param date of the release, as `2026-11-21`
 */
export function prepareRelease(texts: Texts, version: string, date: string): Prepared {
  const packageJson = texts.get('package.json') ?? '{}'
  const name = publishedName(packageJson)
  const action = texts.get('action.yml') ?? ''
  const { version: last } = JSON.parse(packageJson) as { version: string }
  const problems = checkVersion(version, last, breaksSinceLast(texts))
  if (name === placeholder)
    problems.push('nobody has adopted the action yet: run `npm run adopt -- <owner>/<repository>` first')
  const changed: Texts = new Map()
  try {
    changed.set('CHANGELOG.md', closeUnreleased(texts.get('CHANGELOG.md') ?? '', version, date))
  } catch (error) {
    if (!(error instanceof ChangelogError)) throw error
    problems.push(error.message)
  }
  if (problems.length > 0) return { changed: new Map(), problems }
  writeVersion(texts, version, changed)
  const tag = `v${parseVersion(version)?.[0]}`
  for (const [path, text] of texts) {
    if (!namesTheAction(path) || path === 'CHANGELOG.md') continue
    // GitHub Enterprise Servers mirror releases one by one: their files name the exact version.
    const pointed = pointAt(text, name, path.startsWith('ghes/') ? `v${version}` : tag).replace(
      notReleased,
      '',
    )
    if (pointed !== text) changed.set(path, pointed)
  }
  changed.set(lastInterface, action)
  return { changed, problems }
}
