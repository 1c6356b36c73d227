/** The measured statistics of a service. */
import type { Sample, ServiceState } from './state.ts'

/** Upper limit for the samples of a service: each start and each query of a series takes one. */
const maxSamples = 1000

/** Stores a sample; deletes the oldest one above the limit. */
export function keepSample(service: ServiceState, sample: Sample): void {
  service.samples.push(sample)
  if (service.samples.length > maxSamples) service.samples.shift()
}

/** The storage of a service by its newest sample; undefined if its databases were never measured. */
export function storageOf({ samples }: ServiceState): { storage_mb: number } | undefined {
  const newest = samples.at(-1)
  return newest && { storage_mb: Math.ceil(newest.diskBytes / 1024 ** 2) }
}
