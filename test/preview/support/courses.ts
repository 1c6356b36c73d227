/** Courses of requests for tests. */
import type { Service } from '#api/records'
import type { Course } from '../../simulator/faults.ts'

/** Milliseconds until a request is processed, and until its answer arrives. */
const latency = { processed: 50, ended: 100 }

export const normalCourse: Course = { kind: 'none', ...latency, end: 'answer' }

/** The API refuses the request with a JSON error; `more` are headers. */
export function refused(status: number, message = 'refused by the test', more = {}): Course {
  const headers = { 'content-type': 'application/json', ...more }
  const body = JSON.stringify({ code: 'REFUSED', message })
  return { kind: String(status), ended: 100, end: 'answer', answer: () => ({ status, headers, body }) }
}

/** The request is processed, and `change` replaces the answer. */
export function changedAnswer(change: (answer: Record<string, unknown>) => object): Course {
  return {
    ...normalCourse,
    kind: 'changed',
    answer(given) {
      if (given === undefined) throw new Error('there is no answer to change')
      return { ...given, body: JSON.stringify(change(JSON.parse(given.body))) }
    },
  }
}

/** Processes the request, and applies `change` to the list of services in the answer. */
export const changedList = (change: (services: Service[]) => Service[]) =>
  changedAnswer(services => change(services as unknown as Service[]))

/** The connection breaks. The API processes the request after `processed` milliseconds, or never without it. */
export function brokenConnection(processed?: number): Course {
  return { kind: 'lost', ended: 100, end: 'reset', ...(processed !== undefined && { processed }) }
}

/** No server listens at the address. */
export const refusedConnection: Course = { kind: 'refused connection', ended: 100, end: 'refused' }
