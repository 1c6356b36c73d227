/** Finds passwords in the answers of the API. */
import { AnswerTooLargeError } from '#base/errors'
import { holdsSecret } from '#base/secret-names'
import { findNamedSecrets } from './named-secrets.ts'

const serviceOfRecord = /"service_id"\s*:\s*"([\w-]{1,64})"/g
const isId = /^[\w-]{1,64}$/

export interface PasswordListener {
  /** Called with each password, token or the like in an answer. `isMasked`: whether the runner must hide it too. */
  onPassword(password: string, isMasked: boolean): void
  /** Called with the service of each call, and of each answer that is not a list. */
  onService(serviceId: string): void
}

interface NamedText {
  name: string
  value: string
}

/** The texts in a body by field name, and secrets inside them. A body that is not JSON, such as a page, is one text. */
function* findTexts(body: unknown): Generator<NamedText> {
  const values = [body]
  const names = new Set<string>()
  // The list grows during the loop. Recursion could overflow the stack, since a body may be nested deeply.
  for (const value of values) {
    if (typeof value === 'string') yield* findNamedSecrets(value)
    if (Array.isArray(value)) for (const item of value) values.push(item)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        // A list has thousands of records with the same names.
        if (!names.has(name)) yield* findNamedSecrets(name)
        names.add(name)
        if (typeof inner === 'string') yield { name, value: inner }
        values.push(inner)
      }
  }
}

/** Words that must not be masked, since that would hide them in the whole log of the job. */
const commonWords =
  /^(?:true|false|null|none|unset|empty|default|required|optional|missing|invalid|string|bearer|\*+)$/i

/** Upper limit for a text to mask: keys and tokens are shorter, and the runner gets each mask in some 15 encodings. */
const longestMasked = 10_000

/** Whether to mask a text. `initial_password` always; a field with any other name must also look like a secret. */
function isPassword({ name, value }: NamedText): boolean {
  if (name === 'initial_password') return true
  const isLikely = value.length >= 4 && value.length <= longestMasked && !commonWords.test(value)
  return isLikely && holdsSecret(name)
}

/** Limit for masks of a step: thousands would keep the runner busy for hours. Later secrets are still removed here. */
const mostMasks = 50

/** Limit for the secrets of a step. More would fill the memory, so an answer with more is rejected, and not shown. */
const mostPasswords = 10_000

/**
 * Reports the passwords in the client's answers (`onAnswer`) before any other code reads an answer, even a
 * malformed one. Also reports the services, since the server knows the passwords that earlier runs derived
 * for them, and may return one. An answer with too many passwords fails like one with too many bytes.
 */
export function watchPasswords({ onPassword, onService }: PasswordListener) {
  const reported = new Set<string>()

  function reportPassword(secret: NamedText): void {
    if (!isPassword(secret) || reported.has(secret.value)) return
    if (reported.size >= mostPasswords)
      throw new AnswerTooLargeError(`holds more than ${mostPasswords} passwords or tokens`)
    reported.add(secret.value)
    onPassword(secret.value, reported.size <= mostMasks)
  }

  return (body: unknown, { service_id: requestedId }: Record<string, unknown>): void => {
    if (typeof requestedId === 'string') onService(requestedId)
    if (typeof body === 'string')
      for (const [, serviceId = ''] of body.matchAll(serviceOfRecord)) onService(serviceId)
    for (const text of findTexts(body)) {
      reportPassword(text)
      // A list may contain hundreds of services that do not concern the step.
      if (!Array.isArray(body) && text.name === 'service_id' && isId.test(text.value)) onService(text.value)
    }
  }
}
