import { isRead } from '../../../src/api/endpoint.ts'
import { type EndpointName, endpoints } from '../../../src/api/endpoints.ts'
import type { Asked } from './staged-run.ts'

/** All of what a run asked for that could change anything. */
export const changesOf = (asked: Asked[]): Asked[] =>
  asked.filter(({ what }) =>
    what in endpoints ? !isRead(endpoints[what as EndpointName]) : what === 'writeComment',
  )
