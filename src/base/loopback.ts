/** Recognizes addresses of this machine, and explains its refusals. */

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is this machine. */
export const isLoopback = (url: URL) => loopbackHosts.includes(url.hostname)

/** Whether this machine refused the connection, at each address that was tried. */
export function isRefusedHere(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isRefusedHere)
  if (!(error instanceof Error)) return false
  const { code, address }: NodeJS.ErrnoException & { address?: string } = error
  return code === undefined
    ? isRefusedHere(error.cause)
    : code === 'ECONNREFUSED' && /^(?:127\.|::1$)/.test(address ?? '')
}

/** Advice after such a refusal. */
export const adviceHere =
  'check the port, and that a server listens there: localhost is the runner itself, and in a job with `container` it is that container, where a service container has its own host name'
