/** The sizes of services and read replica sets (docs/internals/api.md, "Choices of the emulator"). */

/** Memory in gigabytes by CPU in thousandths of a core. */
export type MemoryByCpu = Record<number, number>

export const serviceSizes: MemoryByCpu = {
  500: 2,
  1000: 4,
  2000: 8,
  4000: 16,
  8000: 32,
  16000: 64,
  32000: 128,
}

/** The sizes of services, and a smaller one from the examples in the API's own description. */
export const replicaSizes: MemoryByCpu = { 250: 1, ...serviceSizes }

/** The size nearest to the request by ratio; undefined if it exists. NaN stands for a number without a request. */
export function nearestSize(
  sizes: MemoryByCpu,
  cpuMillis: number,
  memoryGbs: number,
): { cpuMillis: number; memoryGbs: number } | undefined {
  const distance = (requested: number, size: number) => Math.abs(Math.log2(requested / size)) || 0
  const all = Object.entries(sizes).map(([cpu, memory]) => ({
    cpuMillis: Number(cpu),
    memoryGbs: memory,
    distance: distance(cpuMillis, Number(cpu)) + distance(memoryGbs, memory),
  }))
  const [nearest] = all.sort((one, other) => one.distance - other.distance)
  return nearest?.distance === 0 ? undefined : nearest
}
