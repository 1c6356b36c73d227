/** Reads how a database is used: sessions, uptime and usage marker. */
import type { LoginConnection } from './connection.ts'
import { withSession } from './session.ts'
import { sinceUsageMarker } from './usage-marker.ts'

export interface Activity {
  /** Sessions of clients, without the session of this query. */
  sessions: number
  /** Milliseconds since the server started. */
  upFor: number
  /** Milliseconds since the connection was last published to a job; undefined if that is unknown. */
  publishedFor: number | undefined
}

/**
 * Counts sessions in all databases of the server. A role without pg_read_all_stats does not see the type of other
 * users' sessions, so every session with a user and a database counts (PostgreSQL documentation, 27.2.3).
 */
const activityQuery = `
  select
    (select count(*) from pg_stat_activity
      where pid <> pg_backend_pid()
        and (backend_type in ('client backend', 'walsender')
          or backend_type is null and usesysid is not null and datid is not null))::int as sessions,
    (extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000)::float8 as up_for,
    ${sinceUsageMarker} as published_for`

/** Reads the activity within `timeout` milliseconds. @throws like `probe`; Error for an unexpected answer */
export async function readActivity(
  connection: LoginConnection,
  timeout: number,
  signal: AbortSignal,
): Promise<Activity> {
  const { rows } = await withSession(connection, { timeout, signal }, session => session.query(activityQuery))
  const { sessions, up_for: upFor, published_for: publishedFor } = rows[0] ?? {}
  if (typeof sessions === 'number' && Number.isInteger(sessions) && typeof upFor === 'number')
    return { sessions, upFor, publishedFor: typeof publishedFor === 'number' ? publishedFor : undefined }
  throw new Error('the database does not report its sessions')
}
