/** The age of services, by the clock of the API, which also dates the records. */
import type { Service } from '#api/records'
import { parseTimestamp } from '#base/timestamp'
import type { Client } from '#client/client'

interface Timed {
  client: Pick<Client, 'date'>
}

/** Milliseconds: longer than any read lags, and longer than the clocks of records and answers differ. */
const youth = 5 * 60_000

/** Milliseconds since a moment, which is in milliseconds since 1970; undefined for an unknown moment. */
export function timeSince({ client }: Timed, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : client.date() - moment
}

/** Milliseconds since a service was created; undefined if the API gives no readable date. */
export const ageOf = (context: Timed, { created }: Service) => timeSince(context, parseTimestamp(created))

/** Whether reads may still miss parts of a new service. A service without a readable date may be new. */
export const isYoung = (context: Timed, service: Service) => (ageOf(context, service) ?? 0) < youth

/** Whether a record without a parent may be that of a young fork. */
export const mayNameParentLate = (context: Timed, service: Service) =>
  service.forked_from?.service_id === undefined && isYoung(context, service)
