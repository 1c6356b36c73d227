import { findNamedSecrets } from '../secrets/named-secrets.ts'
import { readTexts } from './read-inputs.ts'

/** Shorter ones are no URL; masked, they would make the log unreadable. */
const shortestUrl = 12

/** A URL, and its password as it is written and as it is meant. */
function secretsOfUrl(url: string): string[] {
  const passwords = findNamedSecrets(url).flatMap(({ start, end, value }) => [value, url.slice(start, end)])
  return url.length < shortestUrl ? [] : [url, ...passwords]
}

/**
 * The secret texts of the inputs, valid or not: the keys, alone and joined as in Basic authentication; a password; the
 * secrets that passwords are derived from and URLs are sealed with; the token for GitHub; the URL of a database, and the password in it.
 */
export function readSecrets(environment: NodeJS.ProcessEnv): string[] {
  const texts = readTexts(environment)
  const read = (name: string) => texts.get(name) ?? ''
  // `public:secret` made of two empty secrets is a lone colon: masked, it would make the log unreadable.
  const apiKey = read('api_key') === ':' ? '' : read('api_key')
  const ofApiKey = apiKey.slice(apiKey.indexOf(':') + 1)
  const pair = read('secret_key') && `${read('public_key')}:${read('secret_key')}`
  const alone = ['password', 'password_secret', 'seal_secret', 'github_token'].map(read)
  const ofUrl = secretsOfUrl(read('database_url'))
  return [read('secret_key'), pair, ofApiKey, apiKey, ...alone, ...ofUrl].filter(secret => secret !== '')
}

/** Whether there is no secret key and no URL of a database, as on pull requests from forks and from Dependabot. */
export function isWithoutKeys(environment: NodeJS.ProcessEnv): boolean {
  const texts = readTexts(environment)
  // `public:secret` made of two empty secrets is a lone colon; the public key may stand in the workflow as plain text.
  return !texts.has('database_url') && !texts.has('secret_key') && !/:./.test(texts.get('api_key') ?? '')
}
