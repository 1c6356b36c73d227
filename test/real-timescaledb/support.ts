import { describe } from 'vitest'

/** The folder of PostgreSQL's programs, of an installation with the whole TimescaleDB. */
export const programs = process.env.TIMESCALEDB_BIN ?? ''

/** Tests of what only the whole TimescaleDB does. */
export function describeReal(what: string, tests: () => void): void {
  const when = '(skipped unless TIMESCALEDB_BIN names the programs of a PostgreSQL that has it)'
  describe.skipIf(programs === '')(`${what} with the real TimescaleDB ${when}`, { timeout: 180_000 }, tests)
}
