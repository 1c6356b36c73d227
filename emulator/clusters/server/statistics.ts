/** Reads the statistics of a database. */
import type { Statistics } from '../../data-plane.ts'
import { type AdminAddress, asAdmin } from './admin.ts'

/** The emulator's own sessions are left out: they are those of its superuser. */
const query = `
  SELECT (SELECT count(*) FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND usename <> current_user)::float8 AS connections,
         (SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database)::float8 AS transactions,
         (SELECT sum(pg_database_size(oid)) FROM pg_database)::float8 AS "diskBytes"`

/** Reads the statistics that PostgreSQL collects about its own activity. */
export async function readStatistics(address: AdminAddress): Promise<Statistics> {
  const { rows } = await asAdmin(address, client => client.query<Statistics>(query))
  return rows[0] ?? { connections: 0, transactions: 0, diskBytes: 0 }
}
