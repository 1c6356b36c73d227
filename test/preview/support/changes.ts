import { isRead } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { Asked } from './staged-run.ts'

/** All of what a run asked for that could change anything. */
export const changesOf = (asked: Asked[]): Asked[] =>
  asked.filter(({ what }) =>
    what in endpoints ? !isRead(endpoints[what as EndpointName]) : what === 'writeComment',
  )
