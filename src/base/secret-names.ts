/** What the names of secrets contain, in any spelling: `dbPassword`, `SECRET_KEY`, `connection-strings`. */
const parts = [
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

/** For a quick check: each of the parts contains one of these, and few other names do. */
const signs = /pass|pwd|secret|token|credential|key|connection/i

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(word => word !== '')
}

/** Whether the name of a field has a word for a secret anywhere in it: `password`, `db_pass`, `tokenType`. */
export function speaksOfSecret(name: string): boolean {
  if (!signs.test(name)) return false
  const words = wordsOf(name)
  // Only as a whole word: `passage` and `compass` are no secrets.
  return words.includes('pass') || parts.some(part => words.join('').includes(part))
}

/** Whether the field of this name holds a secret itself: `api_token` does, `token_type` does not. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name)
  const joined = words.join('').replace(/s$/, '')
  return words.at(-1) === 'pass' || parts.some(part => joined.endsWith(part))
}

/** A JSON value without fields, at any depth, whose names have a word for a secret. */
export function withoutSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !speaksOfSecret(name))
      .map(([name, inner]) => [name, withoutSecretFields(inner)]),
  )
}
