/** Reads the keys and the secrets of a step. */
import type { Credentials } from '#client/client'
import type { SettingsOf } from '#operations/base/input-row'
import type { Texts } from '#operations/base/operation'
import { shortestSecret } from '#preview/base/password'
import { inputProblem } from './input-problem.ts'
import { type accessInputs, inputTable } from './input-table.ts'

type Keys = Pick<SettingsOf<typeof accessInputs>, 'apiKey' | 'publicKey' | 'secretKey'>

const noKeys =
  'api_key: expected public:secret (or public_key and secret_key instead), but all are empty: check the names of their secrets'

/** Reads the keys, and checks that `base_url` is set. */
export function readAccess(texts: Texts, values: Keys, problems: string[]): Credentials {
  if (!texts.has('base_url'))
    problems.push(
      `${inputProblem('base_url', 'the address of the API, like https://host/public/api/v1', undefined)}: check the name of its variable`,
    )
  const given = ['public_key', 'secret_key'].filter(name => texts.has(name))
  if (texts.has('api_key')) {
    const others = given.join(' and ')
    if (given.length > 0)
      problems.push(`api_key: expected no other key, got ${others}: remove ${others}, or remove api_key`)
    const [publicKey = '', ...secretKey] = (values.apiKey ?? '').split(':')
    return { publicKey, secretKey: secretKey.join(':') }
  }
  if (given.length === 0) problems.push(noKeys)
  if (given.length === 1) {
    const missing = texts.has('public_key') ? 'secret_key' : 'public_key'
    const problem = inputProblem(missing, 'a key, from a secret of the repository or organization', undefined)
    problems.push(`${problem}: check the name of its secret`)
  }
  return { publicKey: values.publicKey ?? '', secretKey: values.secretKey ?? '' }
}

/** The credentials of a step that does not call the API. */
export const noCredentials: Credentials = { publicKey: '', secretKey: '' }

/** Reports a secret key that is too short to derive passwords from it, if there is no password_secret. */
export function checkSecretKey(texts: Texts, { publicKey, secretKey }: Credentials, problems: string[]) {
  if (texts.has('password_secret') || secretKey === '' || secretKey.length >= shortestSecret) return
  if (publicKey.length >= shortestSecret) {
    problems.push(
      `secret_key: expected the longer key of the pair, got ${secretKey.length} characters, and public_key has ${publicKey.length}: swap them`,
    )
    return
  }
  const expected = `at least ${shortestSecret} characters, because without password_secret the action derives passwords from this key`
  problems.push(
    `${inputProblem('secret_key', expected, secretKey, true)}: copy the complete key, or set password_secret`,
  )
}

/** The problem if `seal_secret` equals another secret: a job that runs code of a pull request may read it. */
export function sealProblems(texts: Texts, { secretKey }: Credentials): string[] {
  const seal = texts.get('seal_secret')
  const others = new Map([...texts].filter(([name]) => name !== 'seal_secret' && inputTable[name]?.secret))
  // In api_key, the secret key is the part after the colon.
  others.set('secret_key', secretKey)
  const [reused] = [...others].find(([, text]) => text !== '' && text === seal) ?? []
  return reused === undefined ? [] : [`seal_secret: expected a separate secret, got that of ${reused}`]
}
