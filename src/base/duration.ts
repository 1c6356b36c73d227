/** Parses and renders durations. */

const unitMilliseconds = new Map(Object.entries({ d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }))

/** Milliseconds of a duration like `90s`, `30m`, `1h30m`, `7d` or `250ms`. Undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}d)?(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,6}s)?(?:\d{1,6}ms)?$/.test(text) || text === '')
    return undefined
  return [...text.matchAll(/(\d{1,6})(ms|[dhms])/g)].reduce(
    (total, [, count, unit]) => total + Number(count) * (unitMilliseconds.get(unit ?? '') ?? 0),
    0,
  )
}

/** A duration for readers: `0.4s`, `12s`, `3m 05s`, `1h 20m`. */
export function renderDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)}s`
  if (seconds < 60) return `${seconds}s`
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${twoDigits(seconds % 60)}s`
  return `${Math.floor(seconds / 3600)}h ${twoDigits(Math.floor((seconds % 3600) / 60))}m`
}

/** A time limit for readers: `30 s`, `0.05 s`. */
export const renderSeconds = (milliseconds: number) => `${Number((milliseconds / 1000).toPrecision(3))} s`
