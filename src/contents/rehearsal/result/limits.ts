/** The table of limits on a migration: each row is an input and a kind of violation. */
import { renderBytes } from '#base/bytes'
import { renderDuration, renderSeconds } from '#base/duration'
import { type Camel, toCamel } from '#base/table'

/** `otherwise` describes an unset limit that has no default. */
type LimitRow = ({ default: string } | { otherwise: string }) & {
  about: string
  example: string
  unit: 'time' | 'size'
}

/** In the order of the reference. The judge has a check for each row (judge/check-limits.ts). */
export const limits = {
  max_write_block: {
    about:
      'Longest time that writes to a table may wait for a lock of the migration, on the table or on many rows.',
    default: '2s',
    example: '2s',
    unit: 'time',
  },
  max_read_block: {
    about: 'Longest time that reads of a table may wait.',
    default: '500ms',
    example: '500ms',
    unit: 'time',
  },
  max_duration: {
    about: 'Longest duration of the migration.',
    otherwise: 'no limit',
    example: '10m',
    unit: 'time',
  },
  max_rewrite: {
    about: 'Most bytes of a table and its indexes that one statement may rewrite.',
    default: '1GB',
    example: '1GB',
    unit: 'size',
  },
  max_wal: {
    about: 'Most WAL that the migration may write, which replicas and backups must process.',
    otherwise: 'no limit',
    example: '5GB',
    unit: 'size',
  },
} as const satisfies Record<string, LimitRow>

export type Limit = keyof typeof limits

/** By the names of the settings, in milliseconds and bytes. */
export type Limits = { [Name in Limit as Camel<Name>]?: number | undefined } & {
  /** A migration may block and rewrite smaller tables for any time. */
  minTableSize?: number | undefined
}

/** Infinite if no limit is set. */
export const allowedBy = (settings: Limits, limit: Limit): number =>
  settings[toCamel(limit)] ?? Number.POSITIVE_INFINITY

/** Renders a time with enough digits to differ from its limit. */
function renderPrecisely(milliseconds: number): string {
  if (milliseconds < 9.5) return `${Number(milliseconds.toPrecision(2))} ms`
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  return milliseconds < 9950 ? renderSeconds(milliseconds) : renderDuration(milliseconds)
}

export const renderMeasured = (limit: Limit, value: number): string =>
  limits[limit].unit === 'time' ? renderPrecisely(value) : renderBytes(value)

/** The violation for an unapproved loss of data. It has no limit to raise, so it is not a row of the table. */
export const unapprovedLoss = 'approve_destructive'

export const isUnapprovedLoss = ({ limit }: { limit: string }): boolean => limit === unapprovedLoss
