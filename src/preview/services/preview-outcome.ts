/** The outcome of a step that has a preview, or has none. */
import type { Service } from '#api/records'
import type { Outcome } from '#operations/base/outcome'
import type { Preview } from '../base/identity.ts'

/** An outcome whose record is the database of the preview. */
export type PreviewOutcome = Outcome & { record?: Service | undefined }

export const outcomeOf = (preview: Preview, service: Service | undefined): PreviewOutcome => ({
  operation: 'create-preview',
  resource: 'service',
  ids: { project_id: preview.projectId, ...(service && { service_id: service.service_id }) },
  record: service,
  result: service,
  pullRequest: preview.pullRequest,
})
