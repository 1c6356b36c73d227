/** The table of all fields of paths, queries and bodies: each has the same meaning in every row of the contract. */
import type * as z from 'zod/mini'
import { analyticsFields } from './account.ts'
import { resourceId, schemasOf } from './fields/field-schemas.ts'
import type { Input } from './fields/input.ts'
import { sharedFields } from './fields/shared-fields.ts'
import { logFields } from './logs-and-metrics.ts'
import { replicaSetFields } from './replica-sets.ts'
import { serviceFields } from './services.ts'
import { vpcFields } from './vpcs.ts'

/** In the order of the reference. Some rows of the contract take sizes in another form. */
export const fieldInputs = {
  ...sharedFields,
  ...serviceFields,
  ...replicaSetFields,
  ...vpcFields,
  ...logFields,
  ...analyticsFields,
}

export const { fields } = schemasOf(fieldInputs)

const rows: Record<string, Input & { schema: z.ZodMiniType<unknown> }> = fieldInputs

export const isSecretField = (name: string): boolean => rows[name]?.secret === true

/** The schema of a path parameter. It accepts no value that would address another path. */
export const pathField = (name: string): z.ZodMiniType<string, unknown> =>
  name === 'metric_name' ? fields.metric_name : resourceId
