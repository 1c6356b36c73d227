/** Assigns ports to the worker of a test file. */
import type { PortRange } from '../../emulator/clusters/machine/ports.ts'

/** Vitest numbers the processes that run files beside each other. */
const worker = Number(process.env.VITEST_POOL_ID ?? 1)

/**
 * Ports for the databases of this worker's files. A stopped database does not listen on its port: in a common range,
 * the emulator of another file might take the port meanwhile.
 */
export const ownPorts: PortRange = [10_000 + 1000 * (worker % 10), 10_999 + 1000 * (worker % 10)]
