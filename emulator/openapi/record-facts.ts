/** Facts about records that their schemas lack. */
import { aggregations } from '#api/logs-and-metrics'
import { replicaSetStatuses, serviceStatuses, vpcStatuses } from '#api/records'

/**
 * The fields that every record of the emulator has. The schemas do not require them, because they also decode
 * the answers of servers that omit some.
 */
export const requiredFields: Record<string, string[]> = {
  AuthInfo: ['type'],
  'AuthInfo.oauth': ['user'],
  'AuthInfo.oauth.user': ['id', 'name', 'email'],
  'AuthInfo.apiKey': ['public_key', 'name', 'created', 'project', 'issuing_user'],
  'AuthInfo.apiKey.project': ['id', 'name', 'plan_type'],
  'AuthInfo.apiKey.issuing_user': ['id', 'name', 'email'],
  AnalyticsResult: ['status'],
  ActionResult: ['message'],
  Project: ['id', 'name'],
  Service: [
    ...['service_id', 'project_id', 'name', 'region_code', 'service_type', 'created', 'status', 'resources'],
    ...['paused', 'metadata'],
  ],
  'Service.resources[]': ['id', 'spec'],
  'Service.resources[].spec': ['volume_type'],
  'Service.metadata': ['environment'],
  'Service.endpoint': ['host', 'port'],
  'Service.vpcEndpoint': ['host', 'port', 'vpc_id'],
  'Service.forked_from': ['project_id', 'service_id', 'is_standby'],
  'Service.ha_replicas': ['replica_count', 'sync_replica_count'],
  'Service.connection_pooler': ['endpoint'],
  'Service.connection_pooler.endpoint': ['host', 'port'],
  'Service.data_tiering': ['enabled'],
  ServiceLogs: ['logs', 'entries'],
  'ServiceLogs.entries[]': ['timestamp', 'message', 'severity'],
  MetricDetails: ['metric_name', 'description', 'type', 'default_agg', 'labels'],
  'MetricDetails.labels[]': ['name', 'description'],
  'MetricSeries[]': ['labels', 'data'],
  'MetricSeries[].data[]': ['time', 'value'],
  ReadReplicaSet: ['id', 'name', 'status', 'nodes', 'cpu_millis', 'memory_gbs', 'metadata'],
  'ReadReplicaSet.metadata': ['environment'],
  'ReadReplicaSet.endpoint': ['host', 'port'],
  'ReadReplicaSet.connection_pooler': ['endpoint'],
  'ReadReplicaSet.connection_pooler.endpoint': ['host', 'port'],
  Vpc: ['id', 'name', 'cidr', 'region_code', 'created', 'status'],
  Peering: ['id', 'peer_account_id', 'peer_region_code', 'peer_vpc_id', 'status'],
}

/** The older name of each field with two names: the facts about it are the same. */
export const olderNames: Record<string, string> = {
  api_key: 'apiKey',
  vpc_endpoint: 'vpcEndpoint',
  lastCursor: 'last_cursor',
}

const time = { format: 'date-time' }
const environment = { enum: ['DEV', 'PROD'] }
const port = { minimum: 1, maximum: 65_535 }

/** Further facts about single fields (docs/internals/api.md, "Records"). */
export const propertyFacts: Record<string, object> = {
  'AuthInfo.type': { enum: ['apiKey', 'oauth'] },
  'AuthInfo.apiKey.created': time,
  'Service.service_type': { enum: ['TIMESERIESDB', 'TIMESCALEDB', 'POSTGRES', 'VECTOR'] },
  'Service.created': time,
  'Service.status': { enum: serviceStatuses },
  'Service.metadata.environment': environment,
  'Service.metrics': { type: ['object', 'null'] },
  'Service.endpoint.port': port,
  'Service.vpcEndpoint.port': port,
  'Service.connection_pooler.endpoint.port': port,
  'ServiceLogs.entries[].timestamp': time,
  'MetricDetails.type': {
    type: ['string', 'null'],
    enum: ['GAUGE', 'COUNTER', 'HISTOGRAM', 'SUMMARY', null],
  },
  'MetricDetails.default_agg': { type: ['string', 'null'], enum: [...aggregations, null] },
  'MetricSeries[].labels': { type: 'object', additionalProperties: { type: 'string' } },
  'MetricSeries[].data[].time': time,
  'Vpc.created': time,
  'Vpc.status': { enum: vpcStatuses },
  'ReadReplicaSet.status': { enum: replicaSetStatuses },
  'ReadReplicaSet.metadata.environment': environment,
  'ReadReplicaSet.endpoint.port': port,
  'ReadReplicaSet.connection_pooler.endpoint.port': port,
}
