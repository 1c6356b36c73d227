import type { EndpointName } from '#api/endpoints'
import type { Payload } from '../payload.ts'

/** What a fault hook sees of a request. */
export interface FaultRequest {
  method: string
  /** After the base path. */
  path: string
  /** The row that the request is for; undefined for an unknown route. */
  operation: EndpointName | undefined
  /** The parsed body; undefined if there is none, or where it is not JSON. */
  body: unknown
}

/** `before`: the request is not processed; `after`: it is, and the caller does not get the right answer. */
export type Moment = 'before' | 'after'

/**
 * Something that goes wrong with a request. A fault without `when` alters the answer, after the request was processed.
 */
export type Fault =
  | {
      kind: 'answer'
      when: Moment
      status: number
      /** Text is sent as it is, anything else as JSON. */
      body?: unknown
      contentType?: string
      headers?: Record<string, string>
    }
  /** The connection is reset (RST), as by a load balancer that was restarted. */
  | { kind: 'reset'; when: Moment }
  /** Nothing is sent, and the connection stays open. */
  | { kind: 'hang'; when: Moment }
  /** Status and headers, then a blank every 20 ms, for as long as the caller listens. */
  | { kind: 'drip'; when: Moment }
  /** 64 MiB of blanks, and then the answer, if there is one. JSON allows blanks before a value. */
  | { kind: 'huge'; when: Moment }
  /** Half of the answer, then the end of the connection. */
  | { kind: 'truncate' }
  /** Another answer, made from the right one: a field is missing, the content type is wrong, … */
  | { kind: 'change'; change: (intended: Payload) => Payload }
  /** The right answer, but only after some time. */
  | { kind: 'late'; milliseconds: number }

/** Decides for each request what goes wrong with it, if anything. */
export type FaultHook = (request: FaultRequest) => Fault | undefined

/** Whether the request is to be processed before the fault strikes. */
export function isProcessed(fault: Fault | undefined): boolean {
  return fault === undefined || !('when' in fault) || fault.when === 'after'
}
