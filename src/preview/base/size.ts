/**
 * The size of a preview, which decides its cost: a fork is as large as its parent unless a smaller size is requested.
 */
import * as z from 'zod/mini'
import type { Service } from '#api/records'
import { renderBytes } from '#base/bytes'

/** Thousandths of a core. A preview with more gets a warning unless the inputs give its size. */
const largeCpu = 2000

const specOf = ({ resources = [] }: Pick<Service, 'resources'>) => resources[0]?.spec ?? {}

export const cpuOf = (service: Pick<Service, 'resources'>) => specOf(service).cpu_millis

/** Such as `0.5 CPU, 2 GB`; undefined if the record does not show it. */
export function renderSize(service: Service): string | undefined {
  const { cpu_millis, memory_gbs } = specOf(service)
  const parts = [
    cpu_millis !== undefined && `${cpu_millis / 1000} CPU`,
    memory_gbs !== undefined && `${memory_gbs} GB`,
  ].filter(part => part !== false)
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** The specification does not define the metrics. The vendor's other descriptions do, so another form is ignored. */
const measured = z.looseObject({
  metrics: z.looseObject({ storage_mb: z.number().check(z.nonnegative()) }),
})

/** Bytes of storage, which are billed even while the service is paused. Undefined if the record does not show them. */
function storedBytes(service: Service): number | undefined {
  const { data } = measured.safeParse(service)
  return data && data.metrics.storage_mb * 1024 ** 2
}

/** Such as `35 MB`; undefined if no record shows it. */
export function renderStored(...services: Service[]): string | undefined {
  const known = services.flatMap(service => storedBytes(service) ?? [])
  return known.length === 0 ? undefined : renderBytes(known.reduce((sum, bytes) => sum + bytes, 0))
}

export const isLarge = (service: Service) => (cpuOf(service) ?? 0) > largeCpu
