/** The client of a dry run, which refuses every call that could change anything. */
import { isRead } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { type AnyCall, type Client, clientOf } from './client.ts'

/** A dry run tried to make a change. This is a defect: the operation must stop before. */
export class DryRunError extends Error {
  constructor(change: string) {
    super(`a dry run tried ${change}; nothing was changed`)
    this.name = new.target.name
  }
}

/** Returns a client whose calls only read. @throws DryRunError from any other call */
export function refuseChanges(client: Client): Client {
  const call: AnyCall = async (name, parameters, options) => {
    if (!isRead(endpoints[name])) throw new DryRunError(name)
    return await client.callAny(name, parameters, options)
  }
  return clientOf(call, () => client.date())
}
