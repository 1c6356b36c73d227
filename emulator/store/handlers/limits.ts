/** Limits of sizes, replicas and nodes. */
import { replicaSizes, serviceSizes } from '#api/sizes'
import { invalid } from '../refusal.ts'

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
  const [cpu] = Object.entries(serviceSizes).find(([, memory]) => memory === memoryGbs) ?? []
  return cpu === undefined ? undefined : Number(cpu)
}

/** Rejects a CPU and memory that do not match. */
export function checkSizes(
  cpuMillis: number | undefined,
  memoryGbs: number | undefined,
  sizes = serviceSizes,
): void {
  if (cpuMillis !== undefined && memoryGbs !== undefined && sizes[cpuMillis] === memoryGbs) return
  const pairs = Object.entries(sizes).map(([cpu, memory]) => `${cpu} and ${memory}`)
  throw invalid(
    `cpu_millis, memory_gbs: expected ${pairs.slice(0, -1).join(', ')} or ${pairs.at(-1)}, not ${cpuMillis ?? 'none'} and ${memoryGbs ?? 'none'}`,
  )
}

export function checkReplicaSizes(cpuMillis: number, memoryGbs: number): void {
  checkSizes(cpuMillis, memoryGbs, replicaSizes)
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
