/** Filters the requests of a run. */
import { isRead } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { Asked } from './staged-run.ts'

/** The requests that could change a record. */
export const changesOf = (asked: Asked[]): Asked[] =>
  asked.filter(({ what }) =>
    what in endpoints ? !isRead(endpoints[what as EndpointName]) : what === 'writeComment',
  )
