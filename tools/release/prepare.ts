/** Prepares the files of a release. */
import { closeUnreleased, findFlaw } from './changelog.ts'
import { findBreaks } from './interface.ts'
import { namesTheAction, placeholder, publishedName, type Texts } from './published-name.ts'

/** A copy of the last release's action.yml, which the next release is compared with. */
export const lastInterface = 'tools/release/last-action.yml'

/** Whether a text is a version like `1.0.0`. There are no pre-releases. */
export const isVersion = (text: string) => /^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){2}$/.test(text)

const numbersOf = (version: string) => version.split('.').map(Number) as [number, number, number]

/** Whether one version comes after another. */
export const isLater = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true }) > 0

/** Whether the version may contain breaking changes (semver.org, items 4 and 8). */
export function mayBreak(next: string, last: string): boolean {
  const [[major, minor], [lastMajor, lastMinor]] = [numbersOf(next), numbersOf(last)]
  return major > lastMajor || (lastMajor === 0 && minor > lastMinor)
}

const nextMajor = (last: string) => `${numbersOf(last)[0] + 1}.0.0`

const readVersion = (texts: Texts) => JSON.parse(texts.get('package.json') ?? '{}').version as string

/** package.json or its lock file with the version, which the lock file has in two places. */
function writeVersion(text: string, version: string): string {
  const description = { ...JSON.parse(text), version }
  const itself = description.packages?.['']
  if (itself) itself.version = version
  return `${JSON.stringify(description, null, 2)}\n`
}

/** Points `acme/x@v1`, `acme/x/preview@v1` and `acme/x#v1` at the next version. Pins by SHA are the reader's own. */
function pointAt(text: string, name: string, tag: string): string {
  const escaped = name.replace(/[.]/g, '\\.')
  return text.replace(
    new RegExp(`(${escaped}(?:/[\\w./-]+|\\.git)?[@#])v\\d+(?:\\.\\d+\\.\\d+)?(?![\\w.])`, 'g'),
    `$1${tag}`,
  )
}

function breaksSinceLast(texts: Texts): string[] {
  const last = texts.get(lastInterface)
  return last === undefined ? [] : findBreaks(last, texts.get('action.yml') ?? '')
}

/** The usual next version: 1.0.0 after a version 0, a major one if something breaks, otherwise a minor one. */
export function proposeVersion(texts: Texts): string {
  const last = readVersion(texts)
  const [major, minor] = numbersOf(last)
  return major === 0 || breaksSinceLast(texts).length > 0 ? nextMajor(last) : `${major}.${minor + 1}.0`
}

function checkVersion(version: string, last: string, breaks: string[]): string[] {
  if (!isVersion(version)) return [`expected a version like 1.2.0, not "${version}"`]
  if (!isLater(version, last)) return [`${version} does not come after ${last}, the version of package.json`]
  if (mayBreak(version, last)) return []
  const advice = `release it as ${nextMajor(last)}, or keep it (CONTRIBUTING.md, "Breaking changes")`
  return breaks.map(broken => `${broken}: ${advice}`)
}

/**
 * The changes of a release in the tree: version, changelog, the tag in documents and examples, and the copy of
 * `action.yml` for comparison with the following release. Writes nothing.
 * @param date of the release, as `2026-11-21`
 * @returns the changed texts by path; or why it cannot be released, one sentence each with an instruction
 */
export function prepareRelease(texts: Texts, version: string, date: string) {
  const name = publishedName(texts.get('package.json') ?? '{}')
  const changelog = texts.get('CHANGELOG.md') ?? ''
  const problems = checkVersion(version, readVersion(texts), breaksSinceLast(texts))
  if (name === placeholder)
    problems.push('the action is not adopted yet: run `npm run adopt -- <owner>/<repository>` first')
  const flaw = findFlaw(changelog)
  if (flaw !== undefined) problems.push(flaw)
  const changed: Texts = new Map()
  if (problems.length > 0) return { changed, problems }
  changed.set('CHANGELOG.md', closeUnreleased(changelog, version, date))
  for (const path of ['package.json', 'package-lock.json']) {
    const text = texts.get(path)
    if (text !== undefined) changed.set(path, writeVersion(text, version))
  }
  for (const [path, text] of texts) {
    if (!namesTheAction(path) || path === 'CHANGELOG.md') continue
    // GitHub Enterprise Servers mirror releases one by one: their files name the exact version.
    const tag = path.startsWith('ghes/') ? `v${version}` : `v${version.split('.')[0]}`
    const pointed = pointAt(text, name, tag)
    if (pointed !== text) changed.set(path, pointed)
  }
  changed.set(lastInterface, texts.get('action.yml') ?? '')
  return { changed, problems }
}
