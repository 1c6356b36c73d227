/** The client of a dry run. */
import { isRead } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { type AnyCall, type Client, clientOf } from './client.ts'

/** A dry run tried to make a change. The operation should have stopped before. */
export class DryRunError extends Error {
  constructor(change: string) {
    super(`a dry run tried ${change}; nothing was changed`)
    this.name = new.target.name
  }
}

/** Refuses every call that could change anything. @throws DryRunError */
export function readOnly(client: Client): Client {
  const call: AnyCall = async (name, parameters, options) => {
    if (!isRead(endpoints[name])) throw new DryRunError(name)
    return await client.callAny(name, parameters, options)
  }
  return clientOf(call, () => client.date())
}
