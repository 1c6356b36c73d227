/** Faults of the API that tests inject into the emulator. */
import type { Fault, FaultHook } from '../../emulator/http/faults/faults.ts'

type Answer = Extract<Fault, { kind: 'answer' }>

/** Another answer, to a request that is not processed by default. */
export const answer = (status: number, body?: unknown, more: Partial<Answer> = {}): Answer => ({
  ...{ kind: 'answer', when: 'before', status, body },
  ...more,
})

/** The right answer with another body, derived from the parsed one. */
export const changeBody = <Body>(change: (body: Body) => unknown): Fault => ({
  kind: 'change',
  change: intended => ({ ...intended, body: JSON.stringify(change(JSON.parse(intended.body))) }),
})

/** A fault in each request of the given operations. */
export const onOperations =
  (faults: Record<string, Fault>): FaultHook =>
  ({ operation = '' }) =>
    faults[operation]

/** The database of a service named `…at-PORT` or `…at-PORT-…` has that port of this machine. */
export const leadDatabasesAstray: Fault = {
  kind: 'change',
  change: payload => ({
    ...payload,
    body: payload.body.replace(
      /("name":"(?:[^"]*-)?at-(\d+)\b(?:(?!"name":).)*?"endpoint":)\{[^}]*\}/g,
      (_, start, port) => `${start}{"host":"127.0.0.1","port":${port}}`,
    ),
  }),
}
