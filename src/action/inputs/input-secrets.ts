import { readTexts } from './read-inputs.ts'

/**
 * The secret texts of the inputs, valid or not: the keys, alone and joined as in Basic authentication; a password; the
 * secret that passwords are derived from; the token for GitHub.
 */
export function readSecrets(environment: NodeJS.ProcessEnv): string[] {
  const texts = readTexts(environment)
  const read = (name: string) => texts.get(name) ?? ''
  // `public:secret` made of two empty secrets is a lone colon: masked, it would make the log unreadable.
  const apiKey = read('api_key') === ':' ? '' : read('api_key')
  const ofApiKey = apiKey.slice(apiKey.indexOf(':') + 1)
  const pair = read('secret_key') && `${read('public_key')}:${read('secret_key')}`
  const alone = ['password', 'password_secret', 'github_token'].map(read)
  return [read('secret_key'), pair, ofApiKey, apiKey, ...alone].filter(secret => secret !== '')
}

/** Whether there is no secret key, as on pull requests from forks and from Dependabot. */
export function isWithoutKeys(environment: NodeJS.ProcessEnv): boolean {
  const texts = readTexts(environment)
  // `public:secret` made of two empty secrets is a lone colon; the public key may stand in the workflow as plain text.
  return !texts.has('secret_key') && !/:./.test(texts.get('api_key') ?? '')
}
