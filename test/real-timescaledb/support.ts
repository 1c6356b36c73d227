/** Opens services with the real TimescaleDB. */
import { describe } from 'vitest'
import { createService, type Outputs, runSql } from '../support/fork.ts'
import { openWorkbench, type Workbench } from '../support/workbench.ts'

/** The folder of PostgreSQL's programs, of an installation with the whole TimescaleDB. */
export const programs = process.env.TIMESCALEDB_BIN ?? ''

/** Tests that need the whole TimescaleDB. */
export function describeReal(what: string, tests: () => void): void {
  const when = '(skipped unless TIMESCALEDB_BIN names the programs of a PostgreSQL that has it)'
  describe.skipIf(programs === '')(`${what} with the real TimescaleDB ${when}`, { timeout: 180_000 }, tests)
}

/** A workbench with the whole TimescaleDB, and a service that has the extension. */
export async function openRealService(): Promise<[Workbench, Outputs]> {
  const bench = await openWorkbench({ programs })
  const service = await createService(bench)
  await runSql(service, 'CREATE EXTENSION timescaledb')
  return [bench, service]
}

/** The jobs of users that TimescaleDB would start. Its own jobs have lower numbers. */
export const readScheduledJobs = (outputs: Outputs) =>
  runSql(outputs, 'SELECT job_id FROM timescaledb_information.jobs WHERE scheduled AND job_id >= 1000')
