/** Recognizes addresses of this machine, and explains its refusals. */

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is this machine. */
export const isLoopback = (url: URL) => loopbackHosts.includes(url.hostname)

/** Whether this machine refused the connection, at each address that was tried. */
export function isRefusedHere(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isRefusedHere)
  if (!(error instanceof Error)) return false
  const { code, address }: NodeJS.ErrnoException & { address?: string } = error
  return code === undefined
    ? isRefusedHere(error.cause)
    : code === 'ECONNREFUSED' && /^(?:127\.|::1$)/.test(address ?? '')
}

/** Advice after such a refusal. `place`: ` in base_url`, the input with the address. */
export const adviceHere = (place = '') =>
  `check host and port${place}: localhost is the runner itself, or the container of the job`
