/** Facts about requests that their schemas lack. */
import { systemSeries } from '#api/logs-and-metrics'
import { replicaSizes, serviceSizes } from '#api/sizes'
import { mostNodes, mostReplicas, regions } from '../store/handlers/limits.ts'
import { metricLabels, metricNames } from '../store/handlers/metrics.ts'
import { cursorPattern } from '../store/service-log.ts'
import type { JsonSchema } from './json-schema.ts'

const sizesIn = (type: (size: number) => string | number, available = serviceSizes) =>
  Object.entries(available).map(([cpu, memory]) => ({
    properties: { cpu_millis: { const: type(Number(cpu)) }, memory_gbs: { const: type(memory) } },
  }))

/** Matching CPU and memory. */
const sizes = { oneOf: sizesIn(String) }
const sizesOfReplicas = { oneOf: sizesIn(Number, replicaSizes) }
const sharedToo = {
  anyOf: [
    ...sizesIn(String),
    { properties: { cpu_millis: { const: 'shared' }, memory_gbs: { const: 'shared' } } },
  ],
}

/** The rules between the fields of a body, which its schema keeps in code. */
export const bodyRules: Record<string, JsonSchema> = {
  'create-service': sharedToo,
  'resize-service': sizes,
  'set-ha': { anyOf: [{ required: ['replica_count'] }, { required: ['sync_replica_count'] }] },
  'fork-service': {
    ...sharedToo,
    if: { properties: { fork_strategy: { const: 'PITR' } } },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
    then: { required: ['target_time'] },
  },
  'create-replica': sizesOfReplicas,
  'get-metric-series': {
    if: { properties: { metric_name: { enum: systemSeries } } },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
    then: { not: { anyOf: [{ required: ['fn'] }, { required: ['group_by'] }] } },
  },
  'resize-replica': { oneOf: sizesIn(String, replicaSizes) },
}

const replicas = { maximum: mostReplicas }
const region = { enum: regions }

/** Further facts about single fields of a body. */
export const bodyFieldFacts: Record<string, JsonSchema> = {
  'create-service.region_code': region,
  'create-service.replica_count': replicas,
  'set-ha.replica_count': replicas,
  'set-ha.sync_replica_count': replicas,
  'create-replica.nodes': { maximum: mostNodes },
  'create-vpc.region_code': region,
  'get-metric-series.metric_name': { enum: metricNames },
  'get-metric-series.group_by': { items: { enum: metricLabels } },
}

/** Further facts about single fields of a query. */
export const queryFacts: Record<string, JsonSchema> = {
  'get-service-logs.cursor': { pattern: cursorPattern.source },
}
