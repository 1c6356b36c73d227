import type { HandlersOf } from '../handler.ts'
import { keepSample, metricNames, readBuckets, readValues } from '../metrics.ts'
import { findService } from './find.ts'

/** The metric series, experimental in the API (docs/api.md, "Services"). */
export const metrics: HandlersOf<'list-metric-series' | 'get-metric-series'> = {
  'list-metric-series': (context, params) => {
    findService(context, params)
    return [...metricNames]
  },
  'get-metric-series': (context, params) => {
    const service = findService(context, params)
    const buckets = readBuckets(params)
    const { figures } = context.databases
    if (figures) keepSample(service, { at: context.now, ...figures })
    // A service has one server here, the primary, whatever its high availability says.
    const isWanted = (params.filters ?? []).every(({ key, value }) => key === 'role' && value === 'primary')
    if (!isWanted) return []
    return [{ labels: { role: 'primary' }, data: readValues(service, params.name, buckets, context.now) }]
  },
}
