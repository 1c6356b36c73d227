/** PostgreSQL's settings for the size of a service. */
import type { Sizes } from '../../data-plane.ts'
import type { Settings } from '../installation/settings.ts'

/** The size of a service that has none of its own. */
const smallest = { cpuMillis: 500, memoryGbs: 2 }

/** Sessions by CPU, in thousandths of a core: each costs shared memory even while it is not open. */
const connectionsByCpu: Record<number, number> = {
  500: 100,
  1000: 100,
  2000: 200,
  4000: 400,
  8000: 800,
  16000: 1000,
  32000: 1000,
}

/** Sessions that a size allows. */
export function connectionsFor(sizes: Sizes | undefined): number {
  return connectionsByCpu[sizes?.cpuMillis ?? smallest.cpuMillis] ?? 100
}

/**
 * Buffers are reserved whether they are used or not, and their headers are touched at once. A 32nd of the
 * size's regular share lets a laptop run twenty services.
 */
const bufferShare = 32

/**
 * PostgreSQL's settings for a size, with the shares of memory of timescaledb-tune: a quarter for buffers, a
 * quarter for the sessions' work, a 16th for maintenance. Memory that a query allocates on demand keeps its
 * full value. `leastConnections`: minimum number of sessions at every size.
 */
export function sizeSettings(sizes: Sizes | undefined, leastConnections = 0): Settings {
  const memory = (sizes?.memoryGbs ?? smallest.memoryGbs) * 1024
  const cores = (sizes?.cpuMillis ?? smallest.cpuMillis) / 1000
  const connections = connectionsFor(sizes)
  // As many as its eight worker processes.
  const workers = Math.min(8, Math.ceil(cores))
  return {
    shared_buffers: `${memory / 4 / bufferShare}MB`,
    effective_cache_size: `${(memory * 3) / 4}MB`,
    work_mem: `${Math.floor((memory * 1024) / 4 / connections)}kB`,
    maintenance_work_mem: `${Math.min(memory / 16, 2048)}MB`,
    max_connections: String(Math.max(connections, leastConnections)),
    max_parallel_workers: String(workers),
    max_parallel_workers_per_gather: String(Math.floor(workers / 2)),
    max_parallel_maintenance_workers: String(Math.floor(workers / 2)),
  }
}
