import type { Service } from '../api/records.ts'
import type { CallOptions } from '../client/client.ts'
import type { Context } from '../operations/context.ts'

/**
 * The services whose name may be one that is looked for. Of the others nothing but the name is looked at: a project may
 * have thousands.
 */
export function listNamed(
  { client }: Pick<Context, 'client'>,
  projectId: string,
  mayBe: (name: string) => boolean,
): Promise<Service[]> {
  const only: CallOptions['only'] = ({ name }) => typeof name !== 'string' || mayBe(name)
  return client.call('list-services', { project_id: projectId }, { only })
}
