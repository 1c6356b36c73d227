import { isRead } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { type AnyCall, type Client, callAny, clientOf } from './client.ts'

/** A dry run was about to make a change, and was stopped: the operation should have stopped by itself. */
export class DryRunError extends Error {
  constructor(change: string) {
    super(`a dry run came to ${change}, which it must not do; nothing was sent`)
    this.name = new.target.name
  }
}

/** The client of a dry run: it reads, and refuses every call that could change anything. */
export function readOnly(client: Client): Client {
  const call: AnyCall = async (name, parameters, options) => {
    if (!isRead(endpoints[name])) throw new DryRunError(name)
    return await callAny(client)(name, parameters, options)
  }
  return clientOf(call, () => client.date())
}
