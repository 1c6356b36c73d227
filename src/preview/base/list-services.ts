/** Lists the services of a project by name or by parent. */
import type { Service } from '#api/records'
import type { RecordFilter } from '#client/answer'
import type { Context } from '#operations/base/context'
import { isDeleted } from '#operations/base/read-record'

type WithClient = Pick<Context, 'client'>

async function listWhere({ client }: WithClient, projectId: string, only: RecordFilter): Promise<Service[]> {
  const services = await client.call('list-services', { project_id: projectId }, { only })
  return services.filter(service => !isDeleted(service))
}

/** Lists the services with a matching name. Of others, only the name is parsed, because a project may have thousands. */
export function listNamed(
  context: WithClient,
  projectId: string,
  matches: (name: string) => boolean,
): Promise<Service[]> {
  return listWhere(context, projectId, ({ name }) => typeof name !== 'string' || matches(name))
}

/** Lists the services that are forks. */
export function listForks(context: WithClient, projectId: string): Promise<Service[]> {
  return listWhere(context, projectId, ({ forked_from }) => (forked_from ?? null) !== null)
}
