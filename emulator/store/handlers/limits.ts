// Limits of sizes, replicas and nodes.

import { invalid } from '../refusal.ts'

/** Memory in gigabytes by CPU in thousandths of a core: the available sizes (docs/internals/api.md, "Sizes"). */
export const memoryByCpu: Record<number, number> = {
  500: 2,
  1000: 4,
  2000: 8,
  4000: 16,
  8000: 32,
  16000: 64,
  32000: 128,
}

/** The regions of services and VPCs (docs/internals/api.md, "Choices of the emulator"). */
export const regions = [
  'ap-northeast-1',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'ca-central-1',
  'eu-central-1',
  'eu-west-1',
  'eu-west-2',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-2',
]

export const mostReplicas = 5
export const mostNodes = 10

/** The CPU for a memory size, if there is one. */
export function cpuFor(memoryGbs: number): number | undefined {
  const [cpu] = Object.entries(memoryByCpu).find(([, memory]) => memory === memoryGbs) ?? []
  return cpu === undefined ? undefined : Number(cpu)
}

/** The sizes of read replica sets, which include a smaller one in the examples of the service's own description. */
export const replicaMemoryByCpu: Record<number, number> = { 250: 1, ...memoryByCpu }

/** Rejects a CPU and memory that do not match. */
export function checkSizes(
  cpuMillis: number | undefined,
  memoryGbs: number | undefined,
  memories = memoryByCpu,
): void {
  if (cpuMillis !== undefined && memoryGbs !== undefined && memories[cpuMillis] === memoryGbs) return
  const pairs = Object.entries(memories).map(([cpu, memory]) => `${cpu} and ${memory}`)
  throw invalid(
    `cpu_millis, memory_gbs: expected ${pairs.slice(0, -1).join(', ')} or ${pairs.at(-1)}, not ${cpuMillis ?? 'none'} and ${memoryGbs ?? 'none'}`,
  )
}

export function checkReplicaSizes(cpuMillis: number, memoryGbs: number): void {
  checkSizes(cpuMillis, memoryGbs, replicaMemoryByCpu)
}

export function checkRegion(code: string): void {
  if (!regions.includes(code))
    throw invalid(`region_code: expected one of ${regions.join(', ')}, not ${code}`)
}

/** Rejects more high-availability replicas than a service can have. */
export function checkReplicas(counts: {
  replica_count?: number | undefined
  sync_replica_count?: number | undefined
}): void {
  for (const name of ['replica_count', 'sync_replica_count'] as const) {
    const count = counts[name] ?? 0
    if (count > mostReplicas) throw invalid(`${name}: expected at most ${mostReplicas}, not ${count}`)
  }
}

/** Rejects more nodes than a read replica set can have. */
export function checkNodes(nodes: number): void {
  if (nodes > mostNodes) throw invalid(`nodes: expected at most ${mostNodes}, not ${nodes}`)
}
