/** Tests the derived password. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivePassword } from '#preview/base/password'

describe('the derived password', () => {
  it('never changes: previews of an older version must stay reachable', () => {
    expect(derivePassword('secret-key', 'd1k5vk7hf2')).toMatchInlineSnapshot(
      `"Sw9LQcINABSDj0yamh7nMTOFEL6MvGJt"`,
    )
  })

  it('is 32 alphanumeric characters, another for each service and each key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (key, id, otherKey, otherId) => {
        const password = derivePassword(key, id)
        expect(password).toMatch(/^[A-Za-z0-9]{32}$/)
        if (key !== otherKey || id !== otherId) expect(derivePassword(otherKey, otherId)).not.toBe(password)
      }),
    )
  })

  it('has each character equally often', () => {
    const counts = new Map<string, number>()
    for (let service = 0; service < 2000; service++) {
      for (const character of derivePassword('key', String(service)))
        counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    const expected = (2000 * 32) / 62
    // Six standard deviations: a fair draw is outside once in 500 million.
    const allowed = 6 * Math.sqrt(expected)
    expect(counts.size).toBe(62)
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(allowed)
  })
})
