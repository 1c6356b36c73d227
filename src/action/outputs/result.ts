/** The value of the output `result`. */
import { withoutSecretFields } from '#base/secret-names'
import { isRecord } from '#base/unknown-values'
import type { Outcome } from '#operations/base/outcome'

/**
 * The record or answer for the output `result`, without the fields whose names mention a secret. After a wait, the
 * record also has the message from the answer to the change.
 */
export function publicResult({ result, record, message }: Outcome): unknown {
  const described = result === record && isRecord(result) && message ? { ...result, message } : result
  return withoutSecretFields(described ?? null)
}
