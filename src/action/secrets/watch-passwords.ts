import { AnswerTooLargeError } from '#base/errors'
import { holdsSecret } from '#base/secret-names'
import { findNamedSecrets } from './named-secrets.ts'

const serviceOfRecord = /"service_id"\s*:\s*"([\w-]{1,64})"/g
const isId = /^[\w-]{1,64}$/

export interface PasswordListener {
  /** Called when an answer holds a password, a token or the like. `masked`: the runner is to hide it as well. */
  onGiven(password: string, masked: boolean): void
  /** Called with each service that a call, or an answer that is not a list, is about. */
  onService(serviceId: string): void
}

interface Named {
  name: string
  value: string
}

/**
 * The texts in a body with the names of their fields, and secrets recognised within those texts. A body that is no JSON,
 * such as half an answer or a page, is one text.
 */
function* findTexts(body: unknown): Generator<Named> {
  const values = [body]
  const names = new Set<string>()
  // The list grows while it is read. Recursion could overflow the stack, since a body may be nested deeply.
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

/** Words that must not be masked, since that would hide them all over the job's log. */
const commonWords =
  /^(?:true|false|null|none|unset|empty|default|required|optional|missing|invalid|string|bearer|\*+)$/i

/** The longest text to mask: keys and tokens are shorter, and the runner gets each mask in some 15 encodings. */
const longest = 10_000

/**
 * Whether a text is to be masked. `initial_password` always is; with any other name it must also look like a secret.
 */
function isPassword({ name, value }: Named): boolean {
  if (name === 'initial_password') return true
  const isLikely = value.length >= 4 && value.length <= longest && !commonWords.test(value)
  return isLikely && holdsSecret(name)
}

/**
 * The most masks that the runner gets from all answers of a step: thousands would keep it busy for hours. What is given
 * after these is taken out here all the same.
 */
const mostMasks = 50

/** The most secrets of a step. More would fill the memory; so an answer with more is refused, and nothing of it shown. */
const mostPasswords = 10_000

/**
 * What the client tells of its answers (`onAnswer`) goes to the listener: the passwords in them, before anything else
 * reads an answer, even if it is an error, or is then refused as unreadable; and the services, since the server knows the
 * passwords that earlier runs derived for them, and may repeat one. An answer with too many passwords fails like one
 * with too many bytes.
 */
export function watchPasswords({ onGiven, onService }: PasswordListener) {
  const known = new Set<string>()

  function tellPassword(secret: Named): void {
    if (!isPassword(secret) || known.has(secret.value)) return
    if (known.size >= mostPasswords)
      throw new AnswerTooLargeError(`holds more than ${mostPasswords} passwords or tokens`)
    known.add(secret.value)
    onGiven(secret.value, known.size <= mostMasks)
  }

  return (body: unknown, { service_id: asked }: Record<string, unknown>): void => {
    if (typeof asked === 'string') onService(asked)
    if (typeof body === 'string')
      for (const [, serviceId = ''] of body.matchAll(serviceOfRecord)) onService(serviceId)
    for (const text of findTexts(body)) {
      tellPassword(text)
      // A list may hold hundreds of services that the step is not about.
      if (!Array.isArray(body) && text.name === 'service_id' && isId.test(text.value)) onService(text.value)
    }
  }
}
