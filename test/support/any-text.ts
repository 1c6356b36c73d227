import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * Any character of Unicode. fast-check's own unit `binary` gives the same, but first makes a table of all characters: a
 * second in each process.
 */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(number => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count))

/** Text of any characters of Unicode, without lone surrogates. */
export const anyText = (constraints: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ ...constraints, unit: anyCharacter })
