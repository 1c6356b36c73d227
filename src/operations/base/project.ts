// Finds the project of a step.

import { ActionError } from '#base/errors'
import type { Calls, WithSettings } from './context.ts'

export async function resolveProjectId(context: Calls & WithSettings<'projectId'>): Promise<string> {
  if (context.settings.projectId !== undefined) return context.settings.projectId
  const { apiKey } = await context.client.call('get-auth-info', {})
  if (apiKey?.project === undefined) {
    throw new ActionError('the API did not return the project of the key', 'set the input project_id')
  }
  context.log.info(`project ${apiKey.project.id} (the key's own)`)
  return apiKey.project.id
}
