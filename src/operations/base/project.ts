import { ActionError } from '#base/errors'
import type { Calls, WithSettings } from './context.ts'

/** The project to work in: the given one, else the one that the key belongs to (get-auth-info). */
export async function resolveProjectId(context: Calls & WithSettings<'projectId'>): Promise<string> {
  if (context.settings.projectId !== undefined) return context.settings.projectId
  const { apiKey } = await context.client.call('get-auth-info', {})
  if (apiKey?.project === undefined) {
    throw new ActionError('the API does not say which project the key belongs to', 'set the input project_id')
  }
  context.log.info(`project ${apiKey.project.id} (the key's own)`)
  return apiKey.project.id
}
