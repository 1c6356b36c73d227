import type { PortRange } from '../../emulator/clusters/machine/ports.ts'

/** Vitest numbers the processes that run files beside each other. */
const worker = Number(process.env.VITEST_POOL_ID ?? 1)

/**
 * Ports for the databases of this worker's files. The port of a database that is stopped has no listener: in a range of
 * all, the emulator of another file might take it before the database comes back to it.
 */
export const ownPorts: PortRange = [10_000 + 1000 * (worker % 10), 10_999 + 1000 * (worker % 10)]
