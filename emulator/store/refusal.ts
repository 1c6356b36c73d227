/** Why the API refuses a request, in the form of its error body: `{code, message}`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const invalid = (message: string) => new Refusal(400, 'INVALID_REQUEST', message)
export const notFound = (what: string) => new Refusal(404, 'NOT_FOUND', `${what} not found`)
/** The service's own message, which its official client is tested for. */
export const noSuchService = () => new Refusal(404, 'NOT_FOUND', 'no service with that id exists')
export const conflict = (message: string) => new Refusal(409, 'CONFLICT', message)
