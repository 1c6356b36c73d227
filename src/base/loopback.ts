/** Recognizes addresses of this machine, and refused connections to it. */

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is this machine. */
export const isLoopback = (url: URL) => loopbackHosts.includes(url.hostname)

/** Whether this machine refused the connection, at each address that was tried. */
export function isRefusedByLoopback(error: unknown): boolean {
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(isRefusedByLoopback)
  if (!(error instanceof Error)) return false
  const { code, address }: NodeJS.ErrnoException & { address?: string } = error
  return code === undefined
    ? isRefusedByLoopback(error.cause)
    : code === 'ECONNREFUSED' && /^(?:127\.|::1$)/.test(address ?? '')
}

/** Advice after this machine refused the connection. `place` names the input with the address: ` in base_url`. */
export const adviseOnLoopback = (place = '') =>
  `check host and port${place}, and that a server listens there: localhost is the runner itself, or the container of the job, where a service container has its own host name`
