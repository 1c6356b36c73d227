/** The outcome of a step with or without a preview. */
import type { Service } from '#api/records'
import type { Outcome } from '#operations/base/outcome'
import type { Preview } from '../base/identity.ts'

export type PreviewOutcome = Outcome & { record?: Service | undefined }

export const outcomeOf = (preview: Preview, service: Service | undefined): PreviewOutcome => ({
  operation: 'create-preview',
  resource: 'service',
  ids: { project_id: preview.projectId, ...(service && { service_id: service.service_id }) },
  record: service,
  result: service,
  pullRequest: preview.pullRequest,
})
