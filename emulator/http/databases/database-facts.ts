/** Reads facts from the databases for an answer. */
import { type DataPlane, NoPortError } from '../../data-plane.ts'
import type { DatabaseFacts } from '../../store/handler.ts'
import type { LogLine } from '../../store/state.ts'
import type { Route } from '../router.ts'

/**
 * Reserves an address for a call. A missing port does not reject here: a call with another mistake is refused
 * for that mistake first.
 */
async function reserveAddress(dataPlane: DataPlane): Promise<DatabaseFacts> {
  try {
    return { reserved: await dataPlane.reserveAddress() }
  } catch (error) {
    if (error instanceof NoPortError) return { noAddress: error.message }
    throw error
  }
}

/** The database's log, or nothing if the database does not exist: the answer then has only the store's own lines. */
async function readDatabaseLog(
  dataPlane: DataPlane,
  serviceId: string,
  query: URLSearchParams,
): Promise<LogLine[]> {
  const entries = await dataPlane.readLogs(serviceId, Number(query.get('node') ?? 0)).catch(() => [])
  return entries.map(({ timestamp, severity, message }) => ({ at: timestamp.getTime(), severity, message }))
}

/** The facts of the databases that an answer may need. */
export async function askDatabases(
  dataPlane: DataPlane,
  route: Route | undefined,
  query: URLSearchParams,
): Promise<DatabaseFacts> {
  const lastSnapshot = (serviceId: string) => dataPlane.lastSnapshot(serviceId)?.getTime()
  const serviceId = route?.path.service_id ?? ''
  switch (route?.operation) {
    case 'create-service':
    case 'fork-service':
      return { lastSnapshot, ...(await reserveAddress(dataPlane)) }
    case 'get-metric-series': {
      const statistics = await dataPlane.readStatistics(serviceId).catch(() => undefined)
      return { lastSnapshot, ...(statistics && { statistics }) }
    }
    case 'get-service-logs':
      return { lastSnapshot, databaseLog: await readDatabaseLog(dataPlane, serviceId, query) }
    default:
      return { lastSnapshot }
  }
}
