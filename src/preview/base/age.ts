/** The age of services, by the clock of the API, which also dates the records. */
import type { Service } from '#api/records'
import { parseTimestamp } from '#base/timestamp'
import type { Client } from '#client/client'

interface WithClock {
  client: Pick<Client, 'date'>
}

/** Milliseconds after its creation for which a service counts as young. Longer than reads lag or clocks differ. */
const youngFor = 5 * 60_000

/** Milliseconds since `moment`, which is in milliseconds since 1970; undefined for an unknown moment. */
export function timeSince({ client }: WithClock, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : client.date() - moment
}

/** Milliseconds since a service was created; undefined if the API gives no readable date. */
export const ageOf = (context: WithClock, { created }: Service) => timeSince(context, parseTimestamp(created))

/** Whether reads may still miss parts of a new service. A service without a readable date may be new. */
export const isYoung = (context: WithClock, service: Service) => (ageOf(context, service) ?? 0) < youngFor

/** Whether the service may be a fork whose record does not name its parent yet. */
export const mayNameParentLate = (context: WithClock, service: Service) =>
  service.forked_from?.service_id === undefined && isYoung(context, service)
