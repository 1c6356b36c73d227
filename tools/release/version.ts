/** Whether a text is a version like `1.0.0`. There are no pre-releases. */
export function isVersion(text: string): boolean {
  return /^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){2}$/.test(text)
}

const numbersOf = (version: string) => version.split('.').map(Number) as [number, number, number]

/** Whether one version comes after another. */
export function isLater(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0
}

/** Whether the version may contain breaking changes (semver.org, items 4 and 8). */
export function mayBreak(next: string, last: string): boolean {
  const [[major, minor], [lastMajor, lastMinor]] = [numbersOf(next), numbersOf(last)]
  return major > lastMajor || (lastMajor === 0 && minor > lastMinor)
}

export const nextMajor = (last: string) => `${numbersOf(last)[0] + 1}.0.0`

/** The usual next version: 1.0.0 after a version 0, a major one if something breaks, otherwise a minor one. */
export function usualNext(last: string, breaks: boolean): string {
  const [major, minor] = numbersOf(last)
  return major === 0 || breaks ? nextMajor(last) : `${major}.${minor + 1}.0`
}
