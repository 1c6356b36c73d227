/** Derives the outputs of each operation. */
import { renderOutputs } from '#action/outputs/output-table'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { outcomeOfAnswer } from '#operations/base/endpoint-outcome'
import type { Outcome } from '#operations/base/outcome'
import { playEndpoint } from './play-endpoint.ts'

/** The complete outcome of an operation with one call, as the emulator shows it. */
function endOfRow(name: EndpointName): Outcome {
  const row: Endpoint = endpoints[name]
  const { goal } = row
  const { status, parameters, answer, after } = playEndpoint(name)
  if (status !== row.status)
    throw new Error(
      `the emulator refuses ${name}: ${JSON.stringify(answer)}: extend tools/reference/play-endpoint.ts`,
    )
  const outcome = outcomeOfAnswer({ name, row, parameters }, answer)
  if (outcome.resource === undefined || goal?.until === 'gone' || after === undefined) return outcome
  if (goal && goal.evaluate(after, parameters) !== 'settled')
    throw new Error(
      `in the emulator, ${name} does not ${goal.awaited(parameters)}: correct its handler or the goal`,
    )
  return { ...outcome, record: after, ...(goal && { result: after }) }
}

const service = playEndpoint('get-service').after as Service
const created = playEndpoint('create-service').after as Service
const ids = { project_id: 'p1', service_id: 's1' }
const ready = { operation: '', ids, resource: 'service', record: service, result: service } as const
const written = { pullRequest: 1, commentUrl: 'https://github.example/comment' }

const given: Outcome = { ...ready, ...written, password: 'derived', connectionChanged: true }
const recreated = { ...created, connection_pooler: service.connection_pooler }
const ended: Outcome = { operation: '', ids, ...written, deletedIds: ['s1'] }
const prunedIds = { deletedIds: ['s1'], keptIds: ['s2'] }
const pruned: Outcome = { operation: '', ids: { project_id: 'p1' }, result: [], ...prunedIds }

const judged = { verdict: 'passed', violations: [], destructive: false, diff: [] }

/** The possible outcomes of the operations that are not one call of the API. */
const ownEnds: Record<string, Outcome[]> = {
  preview: [given, ended, pruned],
  'create-preview': [given],
  'reset-preview': [{ ...given, record: recreated, deletedIds: ['s1'] }],
  'delete-preview': [ended],
  'prune-previews': [pruned],
  'get-connection': [{ ...ready, pullRequest: 1, password: 'derived' }],
  'create-masked-parent': [{ ...ready, record: created, password: 'derived' }],
  'run-sql': [{ operation: '', ids, pullRequest: 1, result: [], count: 0 }],
  'schema-diff': [{ operation: '', ids, ...written, outputs: judged }],
  'rehearse-migration': [{ operation: '', ids, ...written, outputs: { ...judged, duration: 0 } }],
}

/** Outputs of every operation. */
export const outputsOfAll = ['created', 'deleted', 'changed', 'skipped', 'wait_seconds']

/** The outputs that an operation may set when it succeeds, besides those of all, in the order of the tables. */
export function outputsOf(operation: string): string[] {
  const ends = ownEnds[operation] ?? [endOfRow(operation as EndpointName)]
  const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
  const names = ends.flatMap(outcome => renderOutputs({ outcome, login }).map(({ name }) => name))
  return [...new Set(names)].filter(name => !outputsOfAll.includes(name))
}
