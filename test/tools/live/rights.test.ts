/** Tests the rights of tools on a live server. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { needs } from '../../../tools/live/walk/rights.ts'
import { readSystemNames } from '../../../tools/live/walk/system-names.ts'

const contents = resolve(import.meta.dirname, '../../../src/contents')
const command =
  /(?<=['"`]\s*|; )(?:alter|create|drop|grant|revoke|truncate|vacuum|refresh|comment on|set local) (?!it\b)[a-z]+/g

test.each([
  ['previews', ['pg_largeobject_metadata', 'lo_put', 'pg_postmaster_start_time']],
  ['schema-diff', ['pg_constraint', 'pg_get_functiondef', 'timescaledb_information.hypertables']],
  ['quarantine', ['pg_terminate_backend', 'pg_subscription', 'cron.job_run_details']],
  ['masking', ['pg_stats_ext', 'lo_open', '_timescaledb_catalog.hypertable']],
  ['rehearsal', ['pg_locks', 'pg_blocking_pids', 'pg_current_wal_insert_lsn']],
])('the system names of %s are found in its source', (part, names) => {
  expect(readSystemNames().get(part)).toEqual(expect.arrayContaining(names))
})

describe('the tried commands', () => {
  const tried = Object.values(needs)
    .flatMap(group => Object.values(group))
    .map(({ sql }) => sql)
    .join(';')

  it('are those in the source', () => {
    const sent = globSync('**/*.ts', { cwd: contents }).flatMap(
      file => readFileSync(resolve(contents, file), 'utf8').match(command) ?? [],
    )
    expect(sent.length).toBeGreaterThan(10)
    expect([...new Set(sent)].filter(one => !tried.includes(one))).toEqual([])
  })
})
