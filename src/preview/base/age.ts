import type { Service } from '#api/records'
import { parseTimestamp } from '#base/timestamp'
import type { Client } from '#client/client'

/** Ages are measured by the API's clock, which also dates the records. */
interface Timed {
  client: Pick<Client, 'date'>
}

/** Milliseconds: more than the clocks of records and answers differ, and more than any read lags behind. */
const youth = 5 * 60_000

/** Milliseconds since a moment, itself in milliseconds since 1970; undefined if the moment is not known. */
export function timeSince({ client }: Timed, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : client.date() - moment
}

/** Milliseconds since a service was created; undefined if the API gives no readable date. */
export const ageOf = (context: Timed, { created }: Service) => timeSince(context, parseTimestamp(created))

/** Whether a service is so new that reads may not show all of it yet; without a readable date, it may be. */
export const isYoung = (context: Timed, service: Service) => (ageOf(context, service) ?? 0) < youth

/** Whether a record without a parent may be that of a young fork. */
export const mayNameParentLate = (context: Timed, service: Service) =>
  service.forked_from?.service_id === undefined && isYoung(context, service)
