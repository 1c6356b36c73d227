/** Tests reading of PostgreSQL's log. */
import { expect, test } from 'vitest'
import { parseLog } from '../../../../emulator/clusters/server/log-file.ts'

test('entries are parsed with their details, their further lines, and without the half of one', () => {
  const log = `rest of an entry whose beginning was cut off
2026-11-21 01:40:16.906 UTC [4160] LOG:  database system is ready to accept connections
2026-11-21 01:40:17.001 UTC [4161] ERROR:  duplicate key value violates unique constraint "t_pkey"
2026-11-21 01:40:17.001 UTC [4161] DETAIL:  Key (i)=(1) already exists.
2026-11-21 01:40:17.001 UTC [4161] STATEMENT:  INSERT INTO t
\tVALUES (1)
2026-11-21 01:40:18.000 UTC [4161] FATAL:  terminating connection
`
  expect(parseLog(log)).toEqual([
    {
      timestamp: new Date('2026-11-21T01:40:16.906Z'),
      severity: 'LOG',
      message: 'database system is ready to accept connections',
    },
    {
      timestamp: new Date('2026-11-21T01:40:17.001Z'),
      severity: 'ERROR',
      message: [
        ...['duplicate key value violates unique constraint "t_pkey"'],
        ...['DETAIL: Key (i)=(1) already exists.', 'STATEMENT: INSERT INTO t', 'VALUES (1)'],
      ].join('\n'),
    },
    { timestamp: new Date('2026-11-21T01:40:18.000Z'), severity: 'FATAL', message: 'terminating connection' },
  ])
})

test('a log without entries is empty', () => {
  expect(parseLog('')).toEqual([])
  expect(parseLog('could not load library\n')).toEqual([])
})
