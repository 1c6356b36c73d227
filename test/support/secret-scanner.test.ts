/** Tests the search for encoded secrets. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disguises } from './disguises.ts'
import { encodingsOf } from './secret-encodings.ts'
import { SecretScanner } from './secret-scanner.ts'

/** All that some encoding escapes. */
const text = `p@ss "w\\rd"/é+&'!`

/** Texts with characters inserted are not encodings: the action removes these characters before it prints a text. */
const encodings = Object.entries(disguises).filter(([name]) => !name.endsWith('in it'))

function scanning(...secrets: [label: string, text: string][]): SecretScanner {
  const scanner = new SecretScanner()
  for (const [label, secret] of secrets) scanner.add({ label, text: secret })
  return scanner
}

describe('a scanner', () => {
  test.each(encodings)('finds a secret %s, and does not tell it', (_, encode) => {
    const scanner = new SecretScanner()
    scanner.add({ label: 'the key', text, user: 'tsdbadmin' })
    const hits = scanner.find('stdout', `error: ${encode(text)} is wrong`)
    expect(hits.length).toBeGreaterThan(0)
    expect(hits[0]).toMatchObject({ label: 'the key', place: 'stdout' })
    for (const { excerpt } of hits) {
      expect(excerpt).toContain('•••')
      expect(scanner.find('', excerpt)).toEqual([])
    }
  })

  test('finds a secret in Base64 wherever it stands in a longer text', () => {
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

  test('reports the place with all other secrets hidden', () => {
    const hits = scanning(['one', 'hush-hush'], ['two', 'quiet-now']).find('log', 'a hush-hush b quiet-now c')
    expect(hits).toEqual([
      { label: 'one', encoding: 'raw', place: 'log', excerpt: 'a ••• b ••• c' },
      { label: 'two', encoding: 'raw', place: 'log', excerpt: 'a ••• b ••• c' },
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
