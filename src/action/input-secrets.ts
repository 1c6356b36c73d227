import { readTexts } from './inputs.ts'

/**
 * The texts of the inputs that must not be shown, whether the inputs are right or not: keys alone and as Basic
 * authentication writes them, a password and what passwords are derived from, the token for GitHub.
 */
export function readSecrets(environment: NodeJS.ProcessEnv): string[] {
  const texts = readTexts(environment)
  const read = (name: string) => texts.get(name) ?? ''
  // Of two empty secrets joined, a colon is left: masked, it would make the log unreadable.
  const apiKey = read('api_key') === ':' ? '' : read('api_key')
  const ofApiKey = apiKey.slice(apiKey.indexOf(':') + 1)
  const pair = read('secret_key') && `${read('public_key')}:${read('secret_key')}`
  const alone = ['password', 'password_secret', 'github_token'].map(read)
  return [read('secret_key'), pair, ofApiKey, apiKey, ...alone].filter(secret => secret !== '')
}

/** Whether there is no secret key, as on pull requests from forks and from Dependabot. */
export function isWithoutKeys(environment: NodeJS.ProcessEnv): boolean {
  const texts = readTexts(environment)
  // Two empty secrets joined make a lone colon; the public key may stand in the workflow as plain text.
  return !texts.has('secret_key') && !/:./.test(texts.get('api_key') ?? '')
}
