/** The usage marker: the time when the connection was last published, stored in the database for later runs. */
import type pg from 'pg'
import { largeObjectsWith } from './sql.ts'

/** The comment of the marker, in an older term. Since PostgreSQL 15, a setting of the role needs a special right. */
const comment = 'managed-database-action: handed_out_at'

const markers = largeObjectsWith(comment)

/** Characters of a time. The length is constant, so that a new time overwrites all of an earlier one. */
const timeLength = 20

/** SQL for the time by the database's clock. */
const currentTime = `convert_to(lpad(extract(epoch from clock_timestamp())::text, ${timeLength}, '0'), 'UTF8')`

/** Without the lock, PostgreSQL would fail concurrent writers. A marker lost in a crash does no harm. */
const writeMarker = `
  set local statement_timeout = 1000;
  set local synchronous_commit = off;
  do $$ declare marker oid; begin
    perform pg_advisory_xact_lock(hashtext('managed-database-action'));
    perform lo_put(id, 0, ${currentTime}) from ${markers};
    if not found then
      marker := lo_from_bytea(0, ${currentTime});
      execute format('comment on large object %s is %L', marker, '${comment}');
    end if;
  end $$`

/** Sets the marker to the current time of the database. Throws if the role cannot write it. */
export const writeUsageMarker = (client: pg.Client): Promise<unknown> => client.query(writeMarker)

/** SQL for the milliseconds since the marker was last set, by the database's clock; null if it does not exist. */
export const sinceUsageMarker = `(
  select 1000 * min(extract(epoch from clock_timestamp())::float8
    - substring(encode(lo_get(id, 0, ${timeLength}), 'escape') from '^\\d+\\.?\\d*$')::float8) from ${markers})`
