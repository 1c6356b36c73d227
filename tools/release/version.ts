/** Numbers of a version, most significant first. */
export type Version = readonly [major: number, minor: number, patch: number]

/** A version like `1.0.0`; undefined for anything else. There are no pre-releases. */
export function parseVersion(text: string): Version | undefined {
  const match = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/.exec(text)
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

/** Whether one version comes after another. */
export function isLater(one: Version, other: Version): boolean {
  for (const [index, number] of one.entries()) {
    const against = other[index] ?? 0
    if (number !== against) return number > against
  }
  return false
}

/** Whether users should expect that their workflows need a change (semver.org, items 4 and 8). */
export function mayBreak(next: Version, last: Version): boolean {
  return next[0] > last[0] || (last[0] === 0 && next[1] > last[1])
}

/** The usual next version: 1.0.0 after a version 0, a major one if something breaks, otherwise a minor one. */
export function usualNext(last: Version, breaks: boolean): string {
  return last[0] === 0 || breaks ? `${last[0] + 1}.0.0` : `${last[0]}.${last[1] + 1}.0`
}
