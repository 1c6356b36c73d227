import type { Service } from '#api/records'
import type { Outcome } from '#operations/base/outcome'
import type { Preview } from '../base/identity.ts'

/** An outcome whose record is the database of the preview. */
export type Made = Outcome & { record?: Service | undefined }

export const outcomeOf = (preview: Preview, service: Service | undefined): Made => ({
  operation: 'create-preview',
  resource: 'service',
  ids: { project_id: preview.projectId, ...(service && { service_id: service.service_id }) },
  record: service,
  result: service,
  pullRequest: preview.pullRequest,
})
