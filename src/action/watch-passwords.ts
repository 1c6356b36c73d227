import type { Seam } from '../client/seam.ts'
import { findNamedSecrets, mayHoldNamedSecret } from './named-secrets.ts'
import { namesSecret } from './secret-names.ts'

const serviceOfPath = /\/services\/([\w-]{1,64})/
const serviceOfRecord = /"service_id"\s*:\s*"([\w-]{1,64})"/g

export interface PasswordListener {
  /** An answer holds a password, a token or the like. */
  onGiven(password: string): void
  /** A request, or an answer that is no list, is about a service. */
  onService(serviceId: string): void
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Half an answer, or a page: it may hold JSON all the same.
    return body
  }
}

/** What may be secrets in a body: all its texts with the names of their fields, and what those texts give away. */
function* findSecrets(body: string): Generator<{ name: string; value: string }> {
  if (!mayHoldNamedSecret(body)) return
  const values = [parse(body)]
  // The list grows while it is read: recursion could overflow the stack, since a body may be nested deep.
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

/** Masked, one of these words would be hidden all over the job's log. */
const commonWords =
  /^(?:true|false|null|none|unset|empty|default|required|optional|missing|invalid|string|bearer|\*+)$/i

/** Keys and tokens are shorter. The runner gets the mask in some 15 encodings. */
const longest = 10_000

/** Whether it is to be masked. `initial_password` always is; under any other name it must also look like a secret. */
function isPassword({ name, value }: { name: string; value: string }): boolean {
  if (name === 'initial_password') return true
  const isLikely = value.length >= 4 && value.length <= longest && !commonWords.test(value)
  return isLikely && namesSecret(name)
}

/** A real answer holds one. A hostile list of thousands would keep the runner busy with masks for hours. */
const mostPasswords = 50

/**
 * The seam, which tells of passwords before anything else reads an answer: also of those in an error, or in an answer
 * that is then refused as unreadable. It tells of services, too: from earlier runs the server knows the passwords that
 * are derived for them, and may repeat one.
 */
export function watchPasswords(seam: Seam, { onGiven, onService }: PasswordListener): Seam {
  const known = new Set<string>()

  function tellPasswords(body: string): void {
    for (const secret of findSecrets(body)) {
      if (known.size >= mostPasswords) return
      if (!isPassword(secret) || known.has(secret.value)) continue
      known.add(secret.value)
      onGiven(secret.value)
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
