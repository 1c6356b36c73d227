/** Lists the services of a project by name or by parent. */
import type { Service } from '#api/records'
import type { RecordFilter } from '#client/answer'
import type { Context } from '#operations/base/context'
import { isDeleted } from '#operations/base/read-record'

type Lister = Pick<Context, 'client'>

async function list({ client }: Lister, projectId: string, only: RecordFilter): Promise<Service[]> {
  const services = await client.call('list-services', { project_id: projectId }, { only })
  return services.filter(service => !isDeleted(service))
}

/** Lists the services with a matching name. A project may have thousands, so others are not parsed beyond it. */
export function listNamed(
  context: Lister,
  projectId: string,
  mayBe: (name: string) => boolean,
): Promise<Service[]> {
  return list(context, projectId, ({ name }) => typeof name !== 'string' || mayBe(name))
}

export function listForks(context: Lister, projectId: string): Promise<Service[]> {
  return list(context, projectId, ({ forked_from }) => (forked_from ?? null) !== null)
}
