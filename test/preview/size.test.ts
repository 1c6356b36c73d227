/** Tests the description of a preview's size. */
import { expect, it } from 'vitest'
import type { Service } from '#api/records'
import { renderStored } from '#preview/base/services'

const service = (metrics: unknown) => ({ service_id: 's', metrics }) as Service

it.each([
  [[{ storage_mb: 35 }], '35 MB'],
  [[{ storage_mb: 1536 }, { storage_mb: 512 }], '2.0 GB'],
  [[{ storage_mb: 35 }, null, { storage_mb: '7' }, { storage_mb: -1 }], '35 MB'],
  [[null, undefined, 'none'], undefined],
])('of services with the metrics %j is %s', (metrics, expected) => {
  expect(renderStored(...metrics.map(service))).toBe(expected)
})
