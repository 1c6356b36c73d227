/** The value of the output `result`. */
import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { knownFields } from '#api/known-fields'
import { resources } from '#api/resource'
import { withoutSecretFields } from '#base/secret-names'
import type { Outcome } from '#operations/base/outcome'

/** The schema of a result: that of its record, or of the answer in the operation's row. */
function schemaOf({ operation, resource, record, result }: Outcome) {
  if (resource && result === record) return resources[resource].schema
  const rows: Record<string, Endpoint> = endpoints
  return rows[operation]?.response
}

/**
 * The answer for the output `result`: only fields of the contract, since a server may send others, and no field whose
 * name mentions a secret. After a wait, the record also has the message from the answer to the change.
 */
export function publicResult(outcome: Outcome): unknown {
  const schema = schemaOf(outcome)
  // The action itself creates a result without a row: the decisions of prune.
  const publicFields = schema ? knownFields(schema, outcome.result) : outcome.result
  const isRecord = outcome.result === outcome.record && typeof publicFields === 'object'
  const described = isRecord && outcome.message ? { ...publicFields, message: outcome.message } : publicFields
  return withoutSecretFields(described ?? null)
}
