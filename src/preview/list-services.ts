import type { Service } from '../api/records.ts'
import type { CallOptions } from '../client/client.ts'
import type { Context } from '../operations/context.ts'

/**
 * Lists the services whose name may match. Of all others only the name is looked at, since a project may have
 * thousands.
 */
export function listNamed(
  { client }: Pick<Context, 'client'>,
  projectId: string,
  mayBe: (name: string) => boolean,
): Promise<Service[]> {
  const only: CallOptions['only'] = ({ name }) => typeof name !== 'string' || mayBe(name)
  return client.call('list-services', { project_id: projectId }, { only })
}
