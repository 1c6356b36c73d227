/** Tests the search for encoded secrets. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodingsOf } from './secret-encodings.ts'
import { SecretScanner } from './secret-scanner.ts'

const text = `p@ss "w\\rd"/é+&'!`

/** By the tools of other languages: Python's base64, urllib.parse and json. */
const expected: [encoding: string, texts: string[]][] = [
  ['raw', [text]],
  ['base64 after 3n+0 bytes', ['cEBzcyAid1xyZCIvw6krJich']],
  ['base64 after 3n+1 bytes', ['BAc3MgIndccmQiL8OpKyYnI']],
  ['base64 after 3n+2 bytes', ['wQHNzICJ3XHJkIi/DqSsmJy']],
  ['base64url', ['cEBzcyAid1xyZCIvw6krJich', 'BAc3MgIndccmQiL8OpKyYnI', 'wQHNzICJ3XHJkIi_DqSsmJy']],
  ['hex', ['704073732022775c7264222fc3a92b262721', '704073732022775C7264222FC3A92B262721']],
  ['percent-encoded', ['p%40ss%20%22w%5Crd%22%2F%C3%A9%2B%26%27%21']],
  ['percent-encoded in lower case', ['p%40ss%20%22w%5crd%22%2f%c3%a9%2b%26%27%21']],
  [
    'encodeURIComponent',
    ["p%40ss%20%22w%5Crd%22%2F%C3%A9%2B%26'!", "p%40ss%20%22w%5crd%22%2f%c3%a9%2b%26'!"],
  ],
  ['form', ['p%40ss+%22w%5Crd%22%2F%C3%A9%2B%26%27%21', 'p%40ss+%22w%5crd%22%2f%c3%a9%2b%26%27%21']],
  ['JSON', [`p@ss \\"w\\\\rd\\"/é+&'!`]],
  ['double JSON', [`p@ss \\\\\\"w\\\\\\\\rd\\\\\\"/é+&'!`]],
  ['Basic', ['YWxpY2U6cEBzcyAid1xyZCIvw6krJich']],
  ['URL', ["alice:p%40ss%20%22w%5Crd%22%2F%C3%A9+&'!@", 'alice:p%40ss%20%22w%5Crd%22%2F%C3%A9%2B%26%27%21@']],
]

function scanning(...secrets: [label: string, text: string][]): SecretScanner {
  const scanner = new SecretScanner()
  for (const [label, secret] of secrets) scanner.add({ label, text: secret })
  return scanner
}

describe('the encodings of a secret', () => {
  test('are 14', () => {
    expect(encodingsOf({ label: 'it', text, user: 'alice' }).map(({ name }) => name)).toEqual(
      expected.map(([name]) => name),
    )
  })

  test.each(expected)('%s', (encoding, texts) => {
    const found = encodingsOf({ label: 'it', text, user: 'alice' }).find(({ name }) => name === encoding)
    expect(found?.texts).toEqual(texts)
  })

  test('in Base64 are found wherever the secret stands in a longer text', () => {
    const bytes = fc.string({ minLength: 0, maxLength: 9 })
    fc.assert(
      fc.property(bytes, fc.string({ minLength: 4 }), bytes, (before, secret, after) => {
        const whole = Buffer.from(before + secret + after)
        const encodings = encodingsOf({ label: 'it', text: secret })
        const texts = encodings
          .filter(({ name }) => name.startsWith('base64 after'))
          .flatMap(one => one.texts)
        expect(texts.some(one => whole.toString('base64').includes(one))).toBe(true)
        const forUrls = encodings.find(({ name }) => name === 'base64url')?.texts ?? []
        expect(forUrls.some(one => whole.toString('base64url').includes(one))).toBe(true)
      }),
    )
  })
})

describe('a scanner', () => {
  test.each(expected)('finds a secret as %s, and does not tell it', (encoding, texts) => {
    const scanner = new SecretScanner()
    scanner.add({ label: 'the key', text, user: 'alice' })
    for (const shown of texts) {
      const hits = scanner.find('stdout', `error: ${shown} is wrong`)
      expect(hits.length).toBeGreaterThan(0)
      expect(hits.map(({ label, place }) => [label, place])).toContainEqual(['the key', 'stdout'])
      for (const { excerpt } of hits) {
        expect(excerpt).toContain('•••')
        for (const { texts } of encodingsOf({ label: '', text, user: 'alice' }))
          for (const one of texts) expect(excerpt).not.toContain(one)
      }
      // An encoding that is the same as another, or holds it, goes by the name of that one.
      expect(expected.map(([name]) => name)).toContain(hits[0]?.encoding)
      if (texts[0] === shown && !['Basic', 'URL', 'base64url'].includes(encoding))
        expect(hits.map(hit => hit.encoding)).toContain(encoding)
    }
  })

  test('reports the place with all other secrets hidden', () => {
    const hits = scanning(['one', 'hush-hush'], ['two', 'quiet-now']).find(
      'state',
      'a hush-hush b quiet-now c',
    )
    expect(hits).toEqual([
      { label: 'one', encoding: 'raw', place: 'state', excerpt: 'a ••• b ••• c' },
      { label: 'two', encoding: 'raw', place: 'state', excerpt: 'a ••• b ••• c' },
    ])
  })

  test('cuts the surrounding text, never through a secret', () => {
    const scanner = scanning(['one', 'hush-hush'], ['two', 'quiet-now'])
    const [hit] = scanner.find('summary', `${'-'.repeat(50)}quiet-now${'.'.repeat(55)}hush-hush`)
    expect(hit?.excerpt).toBe(`--•••${'.'.repeat(55)}•••`)
  })

  test.each<[string, secret: string, shown: string]>([
    ['text without it', 'hush-hush', 'all is well'],
    ['half of it', 'hush-hush', 'hush-hus'],
    ['what is too short to be told from other words', 'abc', 'abc'],
    ['an empty one', '', 'all of it'],
    ['itself masked', 'hush-hush', '***'],
  ])('finds nothing in %s', (_, secret, shown) => {
    expect(scanning(['it', secret]).find('stdout', shown)).toEqual([])
  })
})
