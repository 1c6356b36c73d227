import type { Endpoint } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { knownFields } from '#api/known-fields'
import { resources } from '#api/resource'
import { withoutSecretFields } from '#base/secret-names'
import type { Outcome } from '#operations/base/outcome'

/** The schema of a result: that of its record, or of what the row of the operation answers with. */
function schemaOf({ operation, resource, record, result }: Outcome) {
  if (resource && result === record) return resources[resource].schema
  const rows: Record<string, Endpoint> = endpoints
  return rows[operation]?.response
}

/**
 * The answer for the output `result`: only fields of the contract, since a server may send anything else, and none
 * whose name is that of a secret. After a wait, the record also has the message that the change was answered with.
 */
export function publicResult(outcome: Outcome): unknown {
  const schema = schemaOf(outcome)
  // A result without a row is made by the action itself: the decisions of prune.
  const known = schema ? knownFields(schema, outcome.result) : outcome.result
  const isRecord = outcome.result === outcome.record && typeof known === 'object'
  const told = isRecord && outcome.message ? { ...known, message: outcome.message } : known
  return withoutSecretFields(told ?? null)
}
