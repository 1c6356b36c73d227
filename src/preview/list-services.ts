import type { Service } from '../api/records.ts'
import type { CallOptions } from '../client/client.ts'
import type { Context } from '../operations/context.ts'
import { isDeleted } from '../operations/read-record.ts'

/**
 * Lists the services whose name may match, without those that are DELETED. Of all others only the name is looked at,
 * since a project may have thousands.
 */
export async function listNamed(
  { client }: Pick<Context, 'client'>,
  projectId: string,
  mayBe: (name: string) => boolean,
): Promise<Service[]> {
  const only: CallOptions['only'] = ({ name }) => typeof name !== 'string' || mayBe(name)
  const services = await client.call('list-services', { project_id: projectId }, { only })
  return services.filter(service => !isDeleted(service))
}
