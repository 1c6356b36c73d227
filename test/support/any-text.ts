/** Generates texts of any Unicode characters. */
import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * Any character of Unicode. fast-check's own unit `binary` first builds a table of all characters: a second in each
 * process.
 */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(number => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count))

export const anyText = (constraints: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ ...constraints, unit: anyCharacter })
