/** The faults that a test can inject. */
import type { EndpointName } from '#api/endpoints'
import type { Payload } from '../payload.ts'

/** The properties of a request for a fault hook. */
export interface FaultRequest {
  method: string
  /** After the base path. */
  path: string
  /** The row of the request; undefined for an unknown route. */
  operation: EndpointName | undefined
  /** The parsed body; undefined if there is none, or if it is not JSON. */
  body: unknown
}

/** `before`: the request is not processed; `after`: it is, but the caller does not get the right answer. */
export type Moment = 'before' | 'after'

/** A fault in a request. A fault without `when` changes the answer after the request was processed. */
export type Fault =
  | {
      kind: 'answer'
      when: Moment
      status: number
      /** Text is sent unchanged, everything else as JSON. */
      body?: unknown
      contentType?: string
      headers?: Record<string, string>
    }
  /** The connection is reset (RST), as by a restarted load balancer. */
  | { kind: 'reset'; when: Moment }
  /** Nothing is sent, and the connection stays open. */
  | { kind: 'hang'; when: Moment }
  /** Status and headers, then a blank every 20 ms, for as long as the caller listens. */
  | { kind: 'drip'; when: Moment }
  /** 64 MiB of blanks, and then the answer, if there is one. JSON allows blanks before a value. */
  | { kind: 'huge'; when: Moment }
  /** Half of the answer, then the end of the connection. */
  | { kind: 'truncate' }
  /** Another answer, derived from the right one: a field is missing, the content type is wrong, … */
  | { kind: 'change'; change: (intended: Payload) => Payload }
  /** The right answer, but only after some time. */
  | { kind: 'late'; milliseconds: number }

/** Returns the fault for a request, if any. */
export type FaultHook = (request: FaultRequest) => Fault | undefined

/** Whether the request is processed before the fault. */
export function isProcessed(fault: Fault | undefined): boolean {
  return fault === undefined || !('when' in fault) || fault.when === 'after'
}
