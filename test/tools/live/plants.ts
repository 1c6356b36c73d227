/** Plants differences into the answers of a server. */
import type { EndpointName } from '#api/endpoints'
import type { HttpRequest, HttpResponse, Seam } from '#base/seam'
import { basePath, findRoute } from '../../../emulator/http/router.ts'

type Fields = Record<string, unknown>

/** An answer of the emulator, which plants may change. */
export interface Planted {
  operation: EndpointName
  request: HttpRequest
  response: HttpResponse
  /** The content of the body: a record, or a list of them. */
  body: Fields | Fields[] | undefined
  /** The memory of a plant. */
  memory: Set<unknown>
}

/** A planted difference, and its line in the report. */
interface Plant {
  told: string[]
  change?: ((answer: Planted) => void) | undefined
  /** Run in the database of the walk's service, as its superuser. */
  sql?: string
}

const recordsOf = ({ body = [] }: Planted) => [body].flat()

/** Sets a field of a record, by its path. */
function set(record: Fields, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) record[name] = value
  else set(record[name] as Fields, rest.join('.'), value)
}

const onServices =
  (path: string, value: unknown): Plant['change'] =>
  answer => {
    for (const one of recordsOf(answer)) if (typeof one.service_type === 'string') set(one, path, value)
  }

const on =
  (operation: EndpointName, change: (answer: Planted) => void): Plant['change'] =>
  answer => {
    if (answer.operation === operation) change(answer)
  }

const without = (operation: EndpointName, name: string) =>
  on(operation, ({ body }) => set(body as Fields, name, undefined))

const answering = (operation: EndpointName, status: number, body?: Fields) =>
  on(operation, answer => {
    answer.response = { ...answer.response, status }
    answer.body = body ?? answer.body
  })

/** Changes only refusals. */
const refusing =
  (status: number, change: Plant['change']): Plant['change'] =>
  answer => {
    if (answer.response.status === status) change?.(answer)
  }

/** Shows another status in place of one. */
const showing =
  (status: string, other: string): Plant['change'] =>
  answer => {
    for (const one of recordsOf(answer)) if (one.status === status) one.status = other
  }

const cannot = (needed: string, what: string, object: string) =>
  `in the database, for ${needed}: cannot ${what}: permission denied for ${object} (SQLSTATE 42501)`

/** The text of this refusal contains secrets that no report may show. */
export const telltale =
  'in d1k5vk7hf2 at db.example-host.com:5432 for ada@example.com by secret_0123456789abcdef'

/** All that is planted, at once. */
export const plants: Record<string, Plant> = {
  'a missing field': { told: ['Service: no field paused'], change: onServices('paused', undefined) },
  'an unknown field': {
    told: ['Service: unknown field fleet (string)'],
    change: onServices('fleet', 'of-my-own'),
  },
  'an unknown field further down': {
    told: ['Service.resources[].spec: unknown field nvme (boolean)'],
    change: onServices('resources.0.spec.nvme', true),
  },
  'a number as text': {
    told: ['Service.resources[].spec.memory_gbs: string in place of integer'],
    change: answer => {
      for (const { resources } of recordsOf(answer))
        for (const { spec } of (resources ?? []) as { spec: Fields }[])
          spec.memory_gbs = String(spec.memory_gbs)
    },
  },
  'an unknown type': {
    told: ['Service.service_type: an unknown value TIGER'],
    change: onServices('service_type', 'TIGER'),
  },
  'a null': {
    told: ['Service.region_code: null in place of string'],
    change: onServices('region_code', null),
  },
  'another status of success': {
    told: ['create-service: answers with 200, not 202'],
    change: answering('create-service', 200),
  },
  'no address of what is new': {
    told: ['create-service: no endpoint in the answer, where official clients read it'],
    change: without('create-service', 'endpoint'),
  },
  'another clock': {
    told: ['create-service: `created` and the header Date are more than a minute apart'],
    change: on('create-service', ({ body }) => set(body as Fields, 'created', '2026-01-31T12:00:00Z')),
  },
  'a list that lags': {
    told: ['list-services: does not contain a new service at once'],
    change: answer => {
      const { operation, memory } = answer
      for (const { service_id } of operation === 'create-service' ? recordsOf(answer) : [])
        memory.add(service_id)
      if (operation !== 'list-services') return
      answer.body = recordsOf(answer).filter(({ service_id }) => !memory.has(service_id))
      memory.clear()
    },
  },
  'no password of a fork': {
    told: ['fork-service: no initial_password in the answer'],
    change: without('fork-service', 'initial_password'),
  },
  'a body where none is': {
    told: [
      'update-password: answers with 200, not 204',
      'update-password: a body with 200, where there is none',
    ],
    change: answering('update-password', 200, { message: 'done' }),
  },
  'a password told again': {
    told: ['rename-service: contains initial_password, unlike in the specification'],
    change: on('rename-service', ({ body }) => set(body as Fields, 'initial_password', 'told-again')),
  },
  'a log without entries': {
    told: ['ServiceLogs: no field entries', 'get-service-logs: no entries'],
    change: without('get-service-logs', 'entries'),
  },
  'no message': {
    told: ['ActionResult: no field message'],
    change: without('enable-pooler', 'message'),
  },
  'another type of content': {
    told: ['list-vpcs: a content type that is not application/json'],
    change: on('list-vpcs', answer => {
      answer.response = { ...answer.response, headers: { 'content-type': 'text/plain' } }
    }),
  },
  'a status never seen': {
    told: [
      'Service.status: an unknown value REPAIRING',
      'start-service: passes through REPAIRING; the emulator through RESUMING',
    ],
    change: showing('RESUMING', 'REPAIRING'),
  },
  'a status out of place': {
    told: ['stop-service: passes through CONFIGURING; the emulator through PAUSING'],
    change: showing('PAUSING', 'CONFIGURING'),
  },
  'a status of a replica set': {
    told: [
      'ReadReplicaSet.status: an unknown value warming',
      'create-replica: passes through warming; the emulator through creating',
    ],
    change: showing('creating', 'warming'),
  },
  'no refusal': {
    told: ['stop-service of a paused service: is not refused'],
    change: answer => {
      const { operation, response, memory } = answer
      if (operation !== 'stop-service') return
      if (response.status === 202) memory.add(answer.body)
      else answering('stop-service', 202, [...memory].at(-1) as Fields)?.(answer)
    },
  },
  'another refusal': {
    told: ['start-service of what runs: refused with 422, not 400', 'Error: no field code'],
    change: answer => {
      if (answer.operation === 'start-service' && answer.response.status >= 400)
        answering('start-service', 422, { message: `cannot start ${telltale}` })?.(answer)
    },
  },
  'other words': {
    told: ['get-service of a deleted service: in other words: nothing here'],
    change: refusing(404, answering('get-service', 404, { code: 'NONE', message: 'nothing here' })),
  },
  'sessions that must not be ended': {
    told: [cannot('quarantine', 'end a session', 'function pg_terminate_backend')],
    sql: 'revoke execute on function pg_terminate_backend from public',
  },
  'statistics that must not be cleared': {
    told: [cannot('masking', 'clear the statistics of a column', 'function pg_clear_attribute_stats')],
    sql: 'revoke execute on function pg_clear_attribute_stats from public',
  },
  'a log whose end must not be seen': {
    told: [
      'a preview: a rehearsal is not measured',
      'the step rehearse-migration logs: not measured: permission denied for function pg_current_wal_insert_lsn',
    ],
    sql: 'revoke execute on function pg_current_wal_insert_lsn from public',
  },
}

/**
 * The seam of a client that meets another server than the emulator. `onAnswer` receives each answer before the change.
 */
export function planted(seam: Seam, onAnswer: (answer: Planted) => Promise<void>): Seam {
  const memories = new Map<string, Set<unknown>>()
  return {
    ...seam,
    async send(request) {
      const response = await seam.send(request)
      const path = request.url.slice(request.url.indexOf(basePath) + basePath.length).split('?')[0] ?? ''
      const route = findRoute(request.method, path)
      if (route === undefined || 'allowed' in route) return response
      const body = response.body === '' ? undefined : (JSON.parse(response.body) as Fields)
      const answer: Planted = { operation: route.operation, request, response, body, memory: new Set() }
      await onAnswer(answer)
      for (const [name, { change }] of Object.entries(plants)) {
        answer.memory = memories.get(name) ?? new Set()
        memories.set(name, answer.memory)
        change?.(answer)
      }
      const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
      return { ...answer.response, body: text }
    },
  }
}
