import { AnswerTooLargeError } from '../../base/errors.ts'
import type { Seam } from '../../base/seam.ts'
import { findNamedSecrets, mayHoldNamedSecret } from './named-secrets.ts'
import { namesSecret } from './secret-names.ts'

const serviceOfPath = /\/services\/([\w-]{1,64})/
const serviceOfRecord = /"service_id"\s*:\s*"([\w-]{1,64})"/g

export interface PasswordListener {
  /** Called when an answer holds a password, a token or the like. `masked`: the runner is to hide it as well. */
  onGiven(password: string, masked: boolean): void
  /** Called when a request, or an answer that is not a list, is about a service. */
  onService(serviceId: string): void
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Half an answer, or an HTML page: it may hold JSON all the same.
    return body
  }
}

/**
 * Possible secrets in a body: all its texts with the names of their fields, and secrets recognised within those texts.
 */
function* findSecrets(body: string): Generator<{ name: string; value: string }> {
  if (!mayHoldNamedSecret(body)) return
  const values = [parse(body)]
  // The list grows while it is read. Recursion could overflow the stack, since a body may be nested deeply.
  for (const value of values) {
    if (typeof value === 'string') yield* findNamedSecrets(value)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      yield* findNamedSecrets(name)
      values.push(inner)
      if (typeof inner === 'string') yield { name, value: inner }
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
function isPassword({ name, value }: { name: string; value: string }): boolean {
  if (name === 'initial_password') return true
  const isLikely = value.length >= 4 && value.length <= longest && !commonWords.test(value)
  return isLikely && namesSecret(name)
}

/**
 * The most masks that the runner gets from all answers of a step: thousands would keep it busy for hours. What is given
 * after these is taken out here all the same.
 */
const mostMasks = 50

/** The most secrets of a step. More would fill the memory; so an answer with more is refused, and nothing of it shown. */
const mostPasswords = 10_000

/**
 * Wraps the seam: passwords are reported before anything else reads an answer, even if the answer is an error, or is
 * then refused as unreadable. Services are reported too: the server knows the passwords that earlier runs derived for
 * them, and may repeat one. An answer with too many passwords fails like one with too many bytes.
 */
export function watchPasswords(seam: Seam, { onGiven, onService }: PasswordListener): Seam {
  const known = new Set<string>()

  function tellPasswords(body: string): void {
    for (const secret of findSecrets(body)) {
      if (!isPassword(secret) || known.has(secret.value)) continue
      if (known.size >= mostPasswords)
        throw new AnswerTooLargeError(`holds more than ${mostPasswords} passwords or tokens`)
      known.add(secret.value)
      onGiven(secret.value, known.size <= mostMasks)
    }
  }

  return {
    ...seam,
    async send(request) {
      const [, asked] = serviceOfPath.exec(request.url) ?? []
      if (asked !== undefined) onService(asked)
      const response = await seam.send(request)
      tellPasswords(response.body)
      // A list may hold hundreds of services that this step is not about.
      if (/^\s*\[/.test(response.body)) return response
      for (const [, serviceId = ''] of response.body.matchAll(serviceOfRecord)) onService(serviceId)
      return response
    },
  }
}
