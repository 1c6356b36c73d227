/** Finds the secrets in the inputs. */
import { contentsInputs } from '#database/inputs'
import { findNamedSecrets } from '../secrets/named-secrets.ts'
import { inputTable } from './input-table.ts'
import { readTexts } from './read-inputs.ts'

/** A shorter text is not a URL. Masking it would make the log unreadable. */
const shortestUrl = 12

/** Secret inputs that are masked in parts, or not at all: a public key alone is no secret. */
const maskedInParts = ['public_key', 'secret_key', 'api_key', 'database_url']
/** Secret inputs that are masked as they are. */
const maskedWhole = Object.keys(inputTable).filter(
  name => inputTable[name]?.secret && !maskedInParts.includes(name),
)

/** A shorter part of a malformed URL is not masked as its password. */
const shortestPart = 4

function secretsOfUrl(url: string): string[] {
  const passwords = findNamedSecrets(url).flatMap(({ start, end, value }) => [value, url.slice(start, end)])
  if (url.length < shortestUrl) return []
  if ('value' in contentsInputs.database_url.parse(url)) return [url, ...passwords]
  // An unescaped character may be part of the password, which extends to the last @ at most.
  const scheme = url.indexOf('://')
  const start = url.indexOf(':', scheme + 3) + 1
  const end = url.lastIndexOf('@')
  const longest = scheme >= 0 && start > 0 && start < end ? url.slice(start, end) : ''
  return [url, ...[longest, ...passwords].filter(password => password.length >= shortestPart)]
}

/**
 * The secret texts of the inputs, valid or not: the keys, alone and joined as in Basic authentication; the URL of a
 * database and its password; and the text of each other secret input.
 */
export function readSecrets(environment: NodeJS.ProcessEnv): string[] {
  const { texts } = readTexts(environment)
  const read = (name: string) => texts.get(name) ?? ''
  // Two empty secrets in `public:secret` give a single colon. Masking it would make the log unreadable.
  const apiKey = read('api_key') === ':' ? '' : read('api_key')
  const secretOfApiKey = apiKey.slice(apiKey.indexOf(':') + 1)
  const pair = read('secret_key') && `${read('public_key')}:${read('secret_key')}`
  const ofUrl = secretsOfUrl(read('database_url'))
  return [read('secret_key'), pair, secretOfApiKey, apiKey, ...maskedWhole.map(read), ...ofUrl].filter(
    secret => secret !== '',
  )
}

/** Whether there is neither a secret key nor the URL of a database, as on pull requests from forks and Dependabot. */
export function isWithoutKeys(environment: NodeJS.ProcessEnv): boolean {
  const { texts } = readTexts(environment)
  // Two empty secrets in `public:secret` give a single colon. A public key alone may be plain text in the workflow.
  return !texts.has('database_url') && !texts.has('secret_key') && !/:./.test(texts.get('api_key') ?? '')
}
