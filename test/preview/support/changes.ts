/** Filters the requests of a run. */
import { isRead } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { Call } from './staged-run.ts'

/** The calls that can change a record or a comment. */
export const filterChangingCalls = (asked: Call[]): Call[] =>
  asked.filter(({ name }) =>
    name in endpoints ? !isRead(endpoints[name as EndpointName]) : name === 'writeComment',
  )
