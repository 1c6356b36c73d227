/** Times with the precision of PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** A time that is certainly not before now: PostgreSQL counts microseconds, a Date only whole milliseconds. */
export function nextMillisecond(): Date {
  return new Date(Date.now() + 1)
}

/**
 * Commits a transaction that changes nothing, after the given time. Recovery to a time needs such a later
 * commit to detect that it has reached that time (PostgreSQL docs, "Recovery Target").
 */
export async function commitAfter(client: Client, time: Date): Promise<void> {
  while (Date.now() <= time.getTime()) await sleep(1)
  await client.query('SELECT pg_current_xact_id()')
}
