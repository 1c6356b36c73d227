/** Tests the redaction of secrets. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Secrets } from '#action/secrets/secrets'
import { encodingsOf } from '../../support/secret-encodings.ts'

function redacting(...secrets: string[]): Secrets {
  const all = new Secrets()
  for (const secret of secrets) all.add(secret)
  return all
}

/** The texts of each encoding of a secret, by its name. */
const textsIn = (name: string, text: string) =>
  encodingsOf({ label: '', text }).find(encoding => encoding.name === name)?.texts ?? []

const reserved = fc.constantFrom(...` !"#$%&'()*+,-./:;<=>?@[]^_{|}~\\éß漢🐘`)
const secretText = fc
  .array(fc.oneof(reserved, fc.constantFrom(...'abcXYZ019')), { minLength: 8, maxLength: 40 })
  .map(chars => chars.join(''))

describe.each(encodingsOf({ label: '', text: 'any' }))('a secret in the encoding $name', ({ name }) => {
  test('is removed', () => {
    fc.assert(
      fc.property(secretText, fc.string(), fc.string(), (secret, before, after) => {
        for (const encoded of textsIn(name, secret)) {
          const redacted = redacting(secret).redact(before + encoded + after)
          expect(redacted).toContain('***')
          // The rest may contain the secret again by chance only if the text around it contained it before.
          fc.pre(!`${before}***${after}`.includes(encoded))
          expect(redacted).not.toContain(encoded)
        }
      }),
    )
  })
})

describe('a secret inside a longer text', () => {
  test.each(['abc', 'a', 'ab'])('leaves none of its digits %s', before => {
    const base64 = Buffer.from(`${before}hush-hush!xyz`).toString('base64')
    const [digits = ''] = textsIn(`base64 after 3n+${before.length % 3} bytes`, 'hush-hush!')
    expect(redacting('hush-hush!').redact(base64)).toBe(base64.replace(digits, '***'))
  })
})

describe('redacting', () => {
  test.each<[string, string[], string, string]>([
    ['takes out every occurrence', ['hush-hush'], 'a hush-hush b hush-hush', 'a *** b ***'],
    ['takes out several secrets', ['hush-hush', 'secret'], 'hush-hush secret', '*** ***'],
    ['takes out the longest first', ['hush', 'hush-hush'], 'hush-hush', '***'],
    ['leaves other text alone', ['hush-hush'], 'Hush-hush, hush', 'Hush-hush, hush'],
    ['leaves all alone where there is no secret', [], 'hush', 'hush'],
    ['leaves alone what is too short to be told from words', ['the', ''], 'the end', 'the end'],
    [
      'takes out what names itself a secret',
      ['hush-hush'],
      'token=abc {\\"pwd\\":\\"x\\"}',
      'token=*** {\\"pwd\\":\\"***\\"}',
    ],
    ['takes a secret as text, not as a pattern', ['a.*b$'], 'axxb a.*b$', 'axxb ***'],
  ])('%s', (_, secrets, text, redacted) => {
    expect(redacting(...secrets).redact(text)).toBe(redacted)
  })
})

describe('adding a secret', () => {
  test('works even if it is not Unicode', () => {
    expect(redacting('hush\ud800hush').redact('a hush\ud800hush')).toBe('a ***')
  })

  test('returns the texts to mask, each once', () => {
    const secrets = new Secrets()
    const added = secrets.add('p@ss')
    expect(added).toContain('p@ss')
    expect(added).toContain('p%40ss')
    expect(added).toContain('cEBzcw==')
    expect(new Set(added).size).toBe(added.length)
    expect(secrets.add('p@ss')).toBe(added)
  })

  test('adds each line of a secret', () => {
    expect(redacting('the first\r\nthe second\n\n3').redact('the second, the first, 3')).toBe('***, ***, 3')
  })

  test('returns no text so short that the runner would hide words', () => {
    expect(new Secrets().add('ab').filter(text => text.length < 4)).toEqual([])
  })
})

describe('a JSON value', () => {
  test.each<[string, value: unknown, redacted: unknown]>([
    ['a text', 'a hush-hush', 'a ***'],
    ['a list', ['hush-hush', 1, null], ['***', 1, null]],
    ['names and texts', { 'hush-hush': { b: ['hush-hush', true] } }, { '***': { b: ['***', true] } }],
    ['nothing at all', undefined, undefined],
  ])('%s loses its secrets', (_, value, redacted) => {
    expect(redacting('hush-hush').redactAll(value)).toEqual(redacted)
  })
})

describe('whether a secret is in a text', () => {
  test.each<[secret: string, text: string, isIn: boolean]>([
    ['hush-hush', '{"id":"hush-hush"}', true],
    ['hush-hush', `{"id":"${Buffer.from('hush-hush').toString('hex')}"}`, true],
    ['hush-hush', '{"id":"hush"}', false],
    // A key may be as short; a name may well hold it.
    ['local', '{"name":"local-shop"}', false],
  ])('%j in %j: %s', (secret, text, isIn) => {
    expect(redacting(secret).hasAnyIn(text)).toBe(isIn)
  })
})

describe('thousands of secrets', () => {
  const secrets = new Secrets()
  const all = Array.from({ length: 2000 }, (_, index) => `secret-${index}-of-many/${index * 7919}`)
  for (const one of all) secrets.add(one)

  it('are removed like few, in all encodings', () => {
    for (const one of [all[0], all[999], all[1999]] as string[]) {
      const encoded = Buffer.from(one).toString('base64')
      expect(secrets.redact(`a ${one} b ${encoded} c ${encodeURIComponent(one)}`)).toBe('a *** b *** c ***')
      expect(secrets.hasAnyIn(`x${one}`)).toBe(true)
    }
    expect(secrets.redact('nothing of it')).toBe('nothing of it')
  })

  it('are removed longest first', () => {
    secrets.add('prefix-of-a-secret')
    secrets.add('prefix-of-a-secret-that-is-longer')
    expect(secrets.redact('x prefix-of-a-secret-that-is-longer y')).toBe('x *** y')
  })
})

it('removes a secret that the removal of another one creates', () => {
  const secrets = new Secrets()
  secrets.add('inner-secret')
  secrets.add('outer***half')
  expect(secrets.redact('an outerinner-secrethalf')).toBe('an ***')
})
