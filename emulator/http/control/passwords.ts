/** Keeps the passwords that were set over the API. */
import { isRecord, textOf } from '#base/unknown-values'
import type { Answered } from '../exchange.ts'

const textIn = (value: unknown, name: string) => (isRecord(value) ? textOf(value[name]) : undefined)

/**
 * The passwords of tsdbadmin that were set over the API since the emulator started, for callers with the key.
 * Kept only in memory.
 */
export class Passwords {
  readonly #known = new Map<string, string>()

  /** Records the password of a new service or of a confirmed change. Deletes the password of a deleted service. */
  record({ operation, path, request, status, body }: Answered): void {
    if (status >= 300) return
    const serviceId = path.service_id ?? ''
    if (operation === 'delete-service') this.#known.delete(serviceId)
    if (operation === 'update-password') this.#keep(serviceId, textIn(request, 'password'))
    if (operation === 'create-service' || operation === 'fork-service') {
      this.#keep(textIn(body, 'service_id'), textIn(body, 'initial_password'))
    }
  }

  find(serviceId: string): string | undefined {
    return this.#known.get(serviceId)
  }

  #keep(serviceId: string | undefined, password: string | undefined): void {
    if (serviceId !== undefined && password !== undefined) this.#known.set(serviceId, password)
  }
}
