/** Tests the flags of the emulator. */
import { expect, test } from 'vitest'
import { flags, parseCommandLine } from '../../../emulator/command/command-line.ts'
import { helpText } from '../../../emulator/command/help-text.ts'

test('without flags', () => {
  expect(parseCommandLine([])).toEqual({
    help: false,
    detached: false,
    faultsFile: undefined,
    profileFile: undefined,
    options: { databases: true, host: '127.0.0.1', port: 8787 },
  })
})

test.each<[string[], object]>([
  [['--port', '0'], { port: 0 }],
  [['--ready-after', '500ms'], { readyAfter: 500 }],
  [['--change-after=1s500ms', '--delete-after', '2m'], { changeAfter: 1500, deleteAfter: 120_000 }],
  [['--snapshot-after', '0s', '--peering-after', '1h'], { snapshotAfter: 0, peeringAfter: 3_600_000 }],
  [['--vpc-busy-for', '30s', '--peerings', 'pending'], { vpcBusyFor: 30_000, peerings: 'pending' }],
  [['--time-series-type', 'TIMESCALEDB'], { timeSeriesType: 'TIMESCALEDB' }],
  [['--project', 'd1k5vk7hf2'], { projectId: 'd1k5vk7hf2' }],
  [['--keys', 'c:a:b'], { secretKey: 'a:b', publicKey: 'c' }],
  [['--allow-host', 'DB.example', '--allow-host', '[fe80::1]'], { allowHosts: ['db.example', '[fe80::1]'] }],
  [
    ['--no-databases', '--no-stand-ins', '--max-services', '3', '--temp', '/t'],
    { databases: false, standIns: false, maxServices: 3, temp: '/t' },
  ],
  [
    ['--data', '/d', '--snapshot-every', '30s', '--postgres', '/p'],
    { data: '/d', snapshotEvery: 30_000, postgres: '/p' },
  ],
  [['--host', '0.0.0.0', '--ports', '5500-5509'], { host: '0.0.0.0', ports: [5500, 5509] }],
])('%j', (args, expected) => {
  expect(parseCommandLine(args).options).toMatchObject(expected)
})

test.each<[string[], object]>([
  [['--faults', '/f'], { faultsFile: '/f' }],
  [['--like', '/p'], { profileFile: '/p' }],
  [['--detached'], { detached: true }],
  [['-h'], { help: true }],
])('%j, which is about the process', (args, expected) => {
  expect(parseCommandLine(args)).toMatchObject(expected)
})

test.each<[string[], string]>([
  [['--port', 'x'], '--port: expected a whole number up to 65535, not "x"'],
  [['--port', '65536'], '--port: expected a whole number up to 65535, not "65536"'],
  [['--ready-after', '2'], '--ready-after: expected a time like 500ms, 2s or 1m, not "2"'],
  [['--peerings', 'maybe'], '--peerings: expected accepted, pending or failed, not "maybe"'],
  [['--time-series-type', 'X'], '--time-series-type: expected TIMESERIESDB or TIMESCALEDB, not "X"'],
  [['--project', 'a/b'], '--project: expected an id of up to 64 letters, digits, "-" and "_", not "a/b"'],
  [['--keys', 'hush'], '--keys: expected PUBLIC:SECRET in visible ASCII characters'],
  [['--allow-host', 'db:1'], '--allow-host: expected the name of a host, without port, not "db:1"'],
  [['--keys', 'a:é'], '--keys: expected PUBLIC:SECRET in visible ASCII characters'],
  [['--data', ''], '--data: expected a folder'],
  [['--data', '/d', '--temp', '/t'], '--temp, --data: expected only one of them'],
  [['--ports', '5500'], '--ports: expected the first and the last port, like 20000-20099, not "5500"'],
  [['--ports', '9-8'], '--ports: expected the first and the last port'],
  [['--ports', '1-65536'], '--ports: expected the first and the last port'],
  [['--bogus'], "Unknown option '--bogus'; --help lists the flags"],
  [
    ['--redy-after', '5s'],
    "Unknown option '--redy-after' (did you mean --ready-after?); --help lists the flags",
  ],
  [['extra'], "Unexpected argument 'extra'; --help lists the flags"],
])('%j is rejected', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message)
})

test('--help names every flag, in lines that fit a terminal', () => {
  const named = [...helpText.matchAll(/^ {2}(?:-h, )?--([a-z-]+) /gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(Object.keys(flags).toSorted())
  for (const line of helpText.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
})
