/** Waits until a standby has replayed its primary's log. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** The position at which the primary's log ends, once all of it is on disk. */
export async function readLogEnd(client: Client): Promise<string> {
  const { rows } = await client.query<{ end: string }>('SELECT pg_current_wal_flush_lsn()::text AS "end"')
  return rows[0]?.end ?? '0/0'
}

/** Milliseconds for a standby to catch up. */
const patience = 10_000

/** Waits until the standby has replayed its primary's log up to `end`; false if that takes too long. */
export async function waitForReplay(standby: Client, end: string): Promise<boolean> {
  for (const deadline = performance.now() + patience; performance.now() < deadline; await sleep(20)) {
    const sql = 'SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS there'
    const { rows } = await standby.query<{ there: boolean }>(sql, [end])
    if (rows[0]?.there) return true
  }
  return false
}
