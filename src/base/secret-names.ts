/** Recognizes fields that hold secrets by their names. */

/** Words for secrets, in any spelling of a field name: `dbPassword`, `SECRET_KEY`, `connection-strings`. */
const secretWords = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'secretkey',
  'token',
  'credential',
  'privatekey',
  'accesskey',
  'connectionstring',
  'connectionuri',
  'connectionurl',
]

/** A quick first check: every word for a secret contains one of these, and few other names do. */
const quickCheck = /pass|pwd|secret|token|credential|key|connection/i

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(word => word !== '')
}

/** Whether a field name contains a word for a secret: `password`, `db_pass`, `tokenType`. */
export function mentionsSecret(name: string): boolean {
  if (!quickCheck.test(name)) return false
  const words = wordsOf(name)
  // `pass` counts only as a whole word: `passage` and `compass` are no secrets.
  return words.includes('pass') || secretWords.some(secret => words.join('').includes(secret))
}

/** Whether the field of this name holds a secret itself: `api_token` does, `token_type` does not. */
export function holdsSecret(name: string): boolean {
  const words = wordsOf(name)
  const joined = words.join('').replace(/s$/, '')
  return words.at(-1) === 'pass' || secretWords.some(secret => joined.endsWith(secret))
}

/** A copy of a JSON value without the fields, at any depth, whose names mention a secret. */
export function withoutSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !mentionsSecret(name))
      .map(([name, inner]) => [name, withoutSecretFields(inner)]),
  )
}
