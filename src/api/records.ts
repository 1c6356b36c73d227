/** The records of the API, decoded tolerantly. */
import * as z from 'zod/mini'
import { isRecord } from '#base/unknown-values'
import { itemSchemas } from './list-items.ts'
import { sometimes, withFacts } from './record-facts.ts'

/** A field outside the specification: an unexpected value counts as absent. */
const ifSo = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (z.safeParse(schema, value).success ? value : undefined)),
      z.optional(schema),
    ),
  )

/**
 * A record as servers really send it: `null` counts as absent, and a field may have its newer spelling
 * (docs/internals/api.md, "Reading tolerantly"). Unknown fields are accepted, and kept only if `isOpen`.
 */
function record<Shape extends z.core.$ZodShape>(
  shape: Shape,
  renamed: Record<string, keyof Shape & string> = {},
  isOpen = false,
) {
  const normalize = (value: unknown): unknown => {
    if (!isRecord(value)) return value
    const fields = new Map(Object.entries(value))
    for (const [newer, name] of Object.entries(renamed)) {
      if ((fields.get(name) ?? null) === null) fields.set(name, fields.get(newer))
    }
    // A plain Object.fromEntries keeps a hostile `__proto__` key as data: it defines, it does not assign.
    return Object.fromEntries(
      [...fields].filter(([name, field]) => !(name in shape && (field ?? null) === null)),
    )
  }
  const newerFields = Object.entries(renamed).map(([newer, name]) => [
    newer,
    sometimes(ifSo(shape[name] ?? z.unknown())),
  ])
  const allFields = { ...shape, ...Object.fromEntries(newerFields) }
  const object = isOpen ? z.looseObject(allFields) : z.object(allFields)
  // The type of a loose object: code for all kinds of record reads fields that only some of them have.
  return z.pipe(z.transform(normalize), object as z.ZodMiniObject<Shape, z.core.$loose>)
}

/** A record whose fields the specification does not list: unknown fields are shown and published too. */
const openRecord = <Shape extends z.core.$ZodShape>(shape: Shape) => record(shape, {}, true)

/** A list that stops at the first malformed record: reporting millions of them would take gigabytes. */
function array<Item extends z.ZodMiniType>(item: Item) {
  const schema = z.transform((value: unknown, { issues }): z.output<Item>[] => {
    if (!Array.isArray(value)) {
      issues.push({ code: 'custom', input: value, message: 'a list' })
      return z.NEVER
    }
    const items: z.output<Item>[] = []
    for (const [index, one] of value.entries()) {
      const read = item.safeParse(one)
      if (!read.success) {
        const path = [index, ...(read.error.issues[0]?.path ?? [])]
        issues.push({ code: 'custom', input: one, path, message: 'a record' })
        return z.NEVER
      }
      items.push(read.data)
    }
    return items
  })
  itemSchemas.set(schema, item)
  return schema
}

/** The statuses in the specification. Decoding accepts others. */
export const serviceStatuses = [
  ...['QUEUED', 'CONFIGURING', 'READY', 'UNSTABLE', 'PAUSING', 'PAUSED', 'RESUMING'],
  ...['UPGRADING', 'OPTIMIZING', 'DELETING', 'DELETED'],
] as const
export const replicaSetStatuses = ['creating', 'active', 'resizing', 'deleting', 'error'] as const

/** From the public description of VPCs (docs/internals/api.md, "Records"). */
export const vpcStatuses = ['CREATING', 'CREATED', 'DELETING', 'DELETED', 'ERROR', 'UNKNOWN'] as const

/** The functions that reduce the values of a bucket to one (docs/internals/api.md, "Logs and metrics"). */
export const aggregations = [
  ...['RATE', 'INCREASE', 'SUM', 'AVG', 'MIN', 'MAX', 'MIN_TOTAL', 'MAX_TOTAL', 'COUNT'],
  ...['P50', 'P90', 'P99', 'LAST'],
] as const

const text = z.optional(z.string())
const time = withFacts(text, { format: 'date-time' })
const flag = z.optional(z.boolean())
/** An id is a string; a number is read as its digits. */
export const id = z.pipe(z.union([z.string(), z.int()]), z.transform(String))
/** The API mixes integers and digit strings for the same quantities; both are read as integers. */
export const integer = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,9}$/))]),
  z.transform(value => Number(value)),
)
const count = z.optional(integer)

/** A record within another one, which may lack it. */
const part = <Shape extends z.core.$ZodShape>(shape: Shape) => z.optional(record(shape))

/** A TCP port, or 0 before the server has assigned one. */
const port = withFacts(z.pipe(integer, z.int().check(z.gte(0), z.lte(65_535))), {
  minimum: 1,
  maximum: 65_535,
})

/** Host and port; undefined while the server has set only one of them. */
const address = z.optional(
  z.pipe(
    record({ host: text, port: z.optional(port) }),
    z.transform(({ host, port, ...rest }) => (host && port ? { ...rest, host, port } : undefined)),
  ),
)

const word = ifSo(z.string())

/** Its presence means that the service is in a VPC, with any fields or none. */
const vpcEndpoint = z.optional(openRecord({ host: word, port: ifSo(port), vpc_id: ifSo(id) }))

const metadata = part({ environment: withFacts(text, { enum: ['DEV', 'PROD'] }) })
const pooler = sometimes(part({ endpoint: address }))
const size = part({ cpu_millis: sometimes(count), memory_gbs: sometimes(count), volume_type: text })

export const ReadReplicaSet = record({
  id,
  name: text,
  status: withFacts(text, { enum: replicaSetStatuses }),
  nodes: count,
  cpu_millis: count,
  memory_gbs: count,
  metadata,
  endpoint: sometimes(address),
  connection_pooler: pooler,
})

export const Service = record(
  {
    service_id: id,
    project_id: text,
    name: text,
    region_code: text,
    service_type: withFacts(text, { enum: ['TIMESERIESDB', 'TIMESCALEDB', 'POSTGRES', 'VECTOR'] }),
    created: time,
    initial_password: sometimes(text),
    paused: flag,
    status: withFacts(text, { enum: serviceStatuses }),
    resources: z.optional(array(record({ id: z.optional(id), spec: size }))),
    metadata,
    metrics: sometimes(withFacts(z.optional(z.unknown()), { type: ['object', 'null'] })),
    endpoint: sometimes(address),
    vpcEndpoint: sometimes(vpcEndpoint),
    forked_from: sometimes(part({ project_id: text, service_id: z.optional(id), is_standby: flag })),
    ha_replicas: sometimes(part({ sync_replica_count: count, replica_count: count })),
    connection_pooler: pooler,
    data_tiering: sometimes(part({ enabled: flag })),
    read_replica_sets: sometimes(z.optional(array(ReadReplicaSet))),
  },
  { vpc_endpoint: 'vpcEndpoint' },
)

export const Vpc = openRecord({
  id,
  name: word,
  cidr: word,
  region_code: word,
  created: withFacts(word, { format: 'date-time' }),
  status: withFacts(word, { enum: vpcStatuses }),
  provisioned_id: sometimes(word),
})

export const Peering = record({
  id,
  peer_account_id: text,
  peer_region_code: text,
  peer_vpc_id: text,
  provisioned_id: sometimes(text),
  status: text,
  error_message: sometimes(text),
})

const user = part({ id: z.optional(id), name: text, email: text })

/** `type` is `apiKey` or `oauth`, which is also the name of the only other field. */
export const AuthInfo = record(
  {
    type: withFacts(text, { enum: ['apiKey', 'oauth'] }),
    apiKey: sometimes(
      part({
        public_key: text,
        name: text,
        created: time,
        project: part({ id, name: text, plan_type: text }),
        issuing_user: user,
      }),
    ),
    oauth: sometimes(part({ user })),
  },
  { api_key: 'apiKey' },
)

export const Project = record({ id, name: text })
export const ServiceLogs = record(
  {
    logs: z.optional(array(z.string())),
    entries: z.optional(array(record({ timestamp: time, message: text, severity: text }))),
    last_cursor: sometimes(text),
  },
  { lastCursor: 'last_cursor' },
)
export const MetricNames = array(z.string())
/** `type` and `default_agg` are absent if the service does not document them. */
export const MetricDetails = record({
  metric_name: text,
  description: text,
  type: withFacts(text, {
    type: ['string', 'null'],
    enum: ['GAUGE', 'COUNTER', 'HISTOGRAM', 'SUMMARY', null],
  }),
  default_agg: withFacts(text, { type: ['string', 'null'], enum: [...aggregations, null] }),
  labels: z.optional(array(record({ name: text, description: text }))),
})
/** One series for each set of labels; the value of a bucket without data is null. */
export const MetricSeries = array(
  record({
    labels: withFacts(z.optional(z.unknown()), { type: 'object', additionalProperties: { type: 'string' } }),
    data: z.optional(array(record({ time, value: z._default(z.nullable(z.number()), null) }))),
  }),
)
export const ActionResult = record({ message: text })
export const AnalyticsResult = record({ status: text })

export const Services = array(Service)
export const ReadReplicaSets = array(ReadReplicaSet)
export const Vpcs = array(Vpc)
export const Peerings = array(Peering)
export const Projects = array(Project)

export type Service = z.output<typeof Service>
export type ReadReplicaSet = z.output<typeof ReadReplicaSet>
export type Vpc = z.output<typeof Vpc>
export type Peering = z.output<typeof Peering>
export type AuthInfo = z.output<typeof AuthInfo>
export type Address = { host: string; port: number }

export type VpcStatus = (typeof vpcStatuses)[number]
export type ServiceStatus = (typeof serviceStatuses)[number]
export type ReplicaSetStatus = (typeof replicaSetStatuses)[number]
