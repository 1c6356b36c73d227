/** The origin of a preview's data, and its description for people. */
import type { Service } from '#api/records'
import { parseTimestamp } from '#base/timestamp'

export interface Origin {
  /**
   * `now`: the parent at the moment of creation. `snapshot`: the parent's last snapshot before it. `unknown`: one of
   * these two, since another run created it. `empty`: no data.
   */
  data: 'empty' | 'now' | 'snapshot' | 'unknown'
  parentId?: string | undefined
  createdAt?: string | undefined
  /** Milliseconds since 1970; undefined for data not known to be masked. */
  maskedAt?: number | undefined
  parentName?: string | undefined
}

/** A moment for people, `2026-01-31 12:00 UTC`; undefined for an invalid date. */
export function renderMoment(date: string | number | undefined): string | undefined {
  const moment = new Date((typeof date === 'string' ? parseTimestamp(date) : date) ?? Number.NaN)
  if (Number.isNaN(moment.getTime())) return undefined
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** The moment of the data, for the end of a sentence. */
function describeMoment(data: Origin['data'], created: string | undefined): string {
  if (data === 'snapshot') return ` as of its last snapshot${created ? ` before ${created}` : ''}`
  if (created === undefined) return ''
  return data === 'now' ? ` as of ${created}` : ` as of ${created} or earlier`
}

/** The parent of the data, and its moment: ` as of 2026-01-31 12:00 UTC`. Undefined without data. */
export function describeOrigin(origin: Origin): { parent: string; since: string } | undefined {
  const { data, parentId, createdAt, maskedAt, parentName } = origin
  if (maskedAt !== undefined)
    return {
      parent: parentName ?? parentId ?? 'a masked copy',
      since: `, masked ${renderMoment(maskedAt)}`,
    }
  if (parentId === undefined || data === 'empty') return undefined
  return { parent: parentId, since: describeMoment(data, renderMoment(createdAt)) }
}

/** Such as `fork of shop as of 2026-01-31 12:00 UTC` or `empty`. */
export function renderOrigin(origin: Origin): string {
  const described = describeOrigin(origin)
  return described === undefined ? 'empty' : `fork of ${described.parent}${described.since}`
}

const dataByStrategy = { NOW: 'now', LAST_SNAPSHOT: 'snapshot' } as const

/** The origin of a service. `strategy`: that of the request, which only the creating run knows. */
export function originOf(
  { forked_from, created }: Service,
  parentId: string | undefined,
  strategy: keyof typeof dataByStrategy | undefined,
): Origin {
  const parent = forked_from?.service_id ?? parentId
  if (parent === undefined) return { data: 'empty', createdAt: created }
  return { data: strategy ? dataByStrategy[strategy] : 'unknown', parentId: parent, createdAt: created }
}
