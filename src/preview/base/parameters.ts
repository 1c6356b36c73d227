/** The API's fields that operations on previews take, and a check of the parent among them. */
import * as z from 'zod/mini'
import { fields } from '#api/field-table'

export const projectFields = {
  project_id: z.optional(fields.project_id),
  service_id: z.optional(fields.service_id),
}

const sizeFields = { cpu_millis: z.optional(fields.cpu_millis), memory_gbs: z.optional(fields.memory_gbs) }

export const creationFields = {
  ...projectFields,
  // No PITR: it is for repairs, and every recreated preview would need a new moment.
  fork_strategy: z.optional(z.enum(['NOW', 'LAST_SNAPSHOT'], 'NOW or LAST_SNAPSHOT')),
  addons: z.optional(fields.addons),
  region_code: z.optional(fields.region_code),
  ...sizeFields,
}

export const maskingFields = { ...projectFields, service_id: fields.service_id, ...sizeFields }

export type MaskingParameters = z.output<z.ZodMiniObject<typeof maskingFields>>

export type PreviewParameters = z.output<z.ZodMiniObject<typeof creationFields>>

/** Requires a parent or `empty: true`: an unset variable, which arrives empty, must not create an empty database. */
export function parentProblems(hasParent: boolean, isEmpty: boolean): string[] {
  if (hasParent && isEmpty) return ['empty: expected either service_id or `empty: true`, got both']
  if (hasParent || isEmpty) return []
  return [
    'service_id: expected the id of the parent, but the input arrived empty: check the name of the variable that it comes from, or set `empty: true` for previews without data',
  ]
}
