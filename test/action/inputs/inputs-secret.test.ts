/** Tests the secrets among the inputs. */
import { describe, expect, test } from 'vitest'
import { readSecrets } from '#action/inputs/input-secrets'
import { readTestInputs } from '../../support/test-inputs.ts'

describe('the secrets of the inputs', () => {
  test.each<[string, texts: Record<string, string>, secrets: string[]]>([
    ['are none where none is given', { operation: 'preview', public_key: 'pub', name: 'shop' }, []],
    ['are a key, alone and as Basic authentication writes it', keys('pub', 'hush'), ['hush', 'pub:hush']],
    ['are both parts of a key in one', { api_key: ' pub:hu:sh\n' }, ['hu:sh', 'pub:hu:sh']],
    ['are a key that lacks its other part', { api_key: 'hush' }, ['hush', 'hush']],
    ['are no colon of two empty secrets', { api_key: ':' }, []],
    ['are a password as it is', { password: ' hush ' }, [' hush ']],
    ['are what passwords are derived from', { password_secret: ' too short ' }, ['too short']],
    ['are what URLs are sealed with', { seal_secret: ' too short ' }, ['too short']],
    ['are the token for GitHub', { github_token: 'ghs_hush' }, ['ghs_hush']],
    [
      'are no short piece of a password that was not escaped',
      { database_url: 'postgresql://app:p@ss/w#rd@db.example/shop' },
      ['postgresql://app:p@ss/w#rd@db.example/shop', 'p@ss/w#rd'],
    ],
    ['are those of inputs that are wrong as well', keys('', 'a b\nc'), ['a b\nc', ':a b\nc']],
  ])('%s', (_, texts, secrets) => {
    const variables = Object.entries(texts).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])
    expect(readSecrets(Object.fromEntries(variables))).toEqual(secrets)
  })
})

function keys(public_key: string, secret_key: string): Record<string, string> {
  return { public_key, secret_key }
}

test('operations get no secret among their settings', () => {
  const secrets = [
    ...['sk-0123456789abcdef', 'ps-0123456789abcdef', 'ss-0123456789abcdef', 'ghs_0123456789abcdef'],
  ]
  const [secret_key = '', password_secret = '', seal_secret = '', github_token = ''] = secrets
  const texts = { operation: 'create-preview', empty: 'true', base_url: 'https://api.example/public/api/v1' }
  const given = { ...texts, ...keys('pub', secret_key), password_secret, seal_secret, github_token }
  const { settings } = readTestInputs(given)
  expect(secrets.filter(secret => JSON.stringify(settings).includes(secret))).toEqual([])
})
