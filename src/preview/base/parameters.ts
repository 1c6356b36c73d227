/** The fields of the API that operations on previews take. */
import * as z from 'zod/mini'
import { fields } from '#api/fields/fields'

export const projectFields = {
  project_id: z.optional(fields.project_id),
  service_id: z.optional(fields.service_id),
}

/** The fields for creating a preview. */
export const makingFields = {
  ...projectFields,
  // No PITR: it is for repairs, and every recreated preview would need a new moment.
  fork_strategy: z.optional(z.enum(['NOW', 'LAST_SNAPSHOT'], 'NOW or LAST_SNAPSHOT')),
  addons: z.optional(fields.addons),
  region_code: z.optional(fields.region_code),
  cpu_millis: z.optional(fields.cpu_millis),
  memory_gbs: z.optional(fields.memory_gbs),
}

export type PreviewParameters = z.output<z.ZodMiniObject<typeof makingFields>>
