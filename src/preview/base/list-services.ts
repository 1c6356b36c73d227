import type { Service } from '#api/records'
import type { RecordFilter } from '#client/list-answer'
import type { Context } from '#operations/base/context'
import { isDeleted } from '#operations/base/read-record'

type Lister = Pick<Context, 'client'>

async function list({ client }: Lister, projectId: string, only: RecordFilter): Promise<Service[]> {
  const services = await client.call('list-services', { project_id: projectId }, { only })
  return services.filter(service => !isDeleted(service))
}

/**
 * Lists the services whose name may match, without those that are DELETED. Of all others only the name is looked at,
 * since a project may have thousands.
 */
export function listNamed(
  context: Lister,
  projectId: string,
  mayBe: (name: string) => boolean,
): Promise<Service[]> {
  return list(context, projectId, ({ name }) => typeof name !== 'string' || mayBe(name))
}

/** Lists the services that are forks, whatever their name, without those that are DELETED. */
export function listForks(context: Lister, projectId: string): Promise<Service[]> {
  return list(context, projectId, ({ forked_from }) => (forked_from ?? null) !== null)
}
