/** Tests sealed outputs. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readSecrets } from '#action/inputs/input-secrets'
import { renderOutputs } from '#action/outputs/output-table'
import { seal, unseal } from '#action/secrets/seal'
import { expression } from '#api/fields/input'
import { access, readTestInputs, refusalOf } from '../../support/test-inputs.ts'

const secret = 'for-seals-and-nothing-else'
const url = 'postgresql://app:hush-hush@db.example:5432/shop?sslmode=require'
const sealed = seal(url, secret)

describe('a sealed text', () => {
  test('is opened with the same secret, and reveals nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 16 }), (text, key) => {
        const created = seal(text, key)
        expect(created).toMatch(/^sealed:[\w-]+$/)
        expect(unseal(created, key)).toBe(text)
        expect(seal(text, key)).toBe(created)
      }),
    )
  })

  test('is the same in every version of the action', () => {
    expect(seal('text', secret)).toBe('sealed:pdP3WmvY0DyL2OomVcw0xrzY-6X2son7R5TwoS3svtc')
  })

  test('is not opened with another secret, or after a change', () => {
    expect(unseal(sealed, `${secret}.`)).toBeUndefined()
    const bytes = Buffer.from(sealed.slice('sealed:'.length), 'base64url')
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), bit => {
        const changed = Buffer.from(bytes)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(unseal(`sealed:${changed.toString('base64url')}`, secret)).toBeUndefined()
      }),
    )
    for (const text of ['', 'sealed:', 'sealed:AAAA', url, sealed.slice(0, -4)])
      expect(unseal(text, secret)).toBeUndefined()
  })
})

describe('a sealed database_url', () => {
  const step = { operation: 'run-sql', sql: 'select 1', database_url: sealed }

  it('becomes the URL in it, which is masked', () => {
    const { settings, warnings } = readTestInputs({ ...step, seal_secret: secret })
    expect(settings.contents.databaseUrl).toMatchObject({
      host: 'db.example',
      password: 'hush-hush',
      isSealed: true,
    })
    expect(readTestInputs({ ...step, database_url: url }).settings.contents.databaseUrl?.isSealed).toBe(false)
    expect(warnings).toEqual([])
    const variables = { INPUT_DATABASE_URL: sealed, INPUT_SEAL_SECRET: secret }
    expect(readSecrets(variables)).toEqual(expect.arrayContaining([secret, url, 'hush-hush']))
    expect(readSecrets(variables)).not.toContain(sealed)
  })

  it.each([
    [
      'without the secret',
      {},
      `a sealed_url, but seal_secret is empty: set it to the same secret as in that step, such as ${expression('secrets.DATABASE_SEAL_SECRET')}`,
    ],
    [
      'with another one',
      { seal_secret: `${secret}.` },
      'a sealed_url that the seal_secret of this step does not open',
    ],
  ])('is refused %s', (_, more, got) => {
    const expected = 'the output sealed_url, with the seal_secret of the step that set it'
    expect(refusalOf({ ...step, ...more })).toMatch(`database_url: expected ${expected}, got ${got}`)
  })
})

const apiKey = 'pub:hush-hush-hush-hush'

it.each([
  ['secret_key', access.secret_key, {}],
  ['secret_key', 'hush-hush-hush-hush', { api_key: apiKey, public_key: '', secret_key: '' }],
  ['api_key', apiKey, { api_key: apiKey, public_key: '', secret_key: '' }],
  ['public_key', secret, { public_key: secret }],
  ['password_secret', secret, { password_secret: secret }],
  ['github_token', secret, { github_token: secret }],
  ['password', secret, { password: secret, service_id: 's1' }],
])(
  'a seal needs a separate secret, not %s, because code of pull requests may read it',
  (name, seal, more) => {
    expect(refusalOf({ operation: 'get-connection', ...access, ...more, seal_secret: seal })).toContain(
      `seal_secret: expected a separate secret, got that of ${name}`,
    )
  },
)

it('a sealed output exists if the password is known, and is not masked', () => {
  const record = { service_id: 's1', endpoint: { host: 'db.example', port: 5432 } }
  const login = { user: 'app', database: 'shop', sslmode: 'require' }
  const find = (password: string | undefined, sealSecret: string | undefined) =>
    renderOutputs({
      outcome: { operation: '', ids: {}, resource: 'service', record, password },
      ...{ login, sealSecret },
    }).find(({ name }) => name === 'sealed_url')
  expect(find('hush-hush', secret)).toMatchObject({ value: sealed, secret: false })
  expect(find(undefined, secret)).toBeUndefined()
  expect(find('hush-hush', undefined)).toBeUndefined()
})
