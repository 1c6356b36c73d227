import { thoroughness } from './thoroughness.ts'

/** Samples of each character class, by its letter after a backslash. */
const classSamples: Record<string, string[]> = {
  s: [' ', '\n'],
  d: ['1'],
  w: ['a'],
  S: ['a'],
  D: ['a'],
  W: [' '],
  p: ['\u0001', '\u200b', '\u2028', '\u3164', 'ü'],
  P: ['a'],
}

/**
 * The parts of a regular expression, roughly: `
 * `, `\x41`, `\p{L}`, `[a-z]`, `(?:`, `{1,9}`, or one character.
 */
const parts = /\\x[0-9a-f]{2}|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[:=!]|\{\d+(?:,\d*)?\}|./gis

const operators = new Set(['(', ')', '(?:', '(?=', '(?!', '|', '*', '+', '?', '^', '$', '\\b'])

function samplesOf(part: string): string[] {
  if (operators.has(part) || /^\{\d/.test(part)) return []
  if (part === '.') return ['x']
  if (part.startsWith('\\x')) return [String.fromCharCode(Number.parseInt(part.slice(2), 16))]
  if (part.startsWith('[^')) return ['a', '\u0001']
  if (part.startsWith('['))
    return [...part.slice(1, -1).matchAll(parts)].flatMap(([inner]) => samplesOf(inner)).slice(0, 6)
  if (part.startsWith('\\')) return classSamples[part[1] ?? ''] ?? [part === '\\n' ? '\n' : (part[1] ?? '')]
  return [part]
}

const atomsOf = ({ source }: RegExp) =>
  [...source.matchAll(parts)].map(([part]) => samplesOf(part)).filter(one => one.length > 0)

/** The units to repeat: words of the expression (`snapshot`, `no`), its characters, and some common ones. */
function unitsOf(expression: RegExp): string[] {
  const words = expression.source.match(/\w{2,}/g) ?? []
  const characters = atomsOf(expression).flat()
  const most = thoroughness > 1 ? 6 : 2
  return [...new Set([...words.slice(0, most), ...characters.slice(0, most), ' ', 'a'])]
}

/**
 * Generates texts from the source of an expression on which the expression may read the same characters repeatedly: its
 * parts repeated, two parts in turn and one after the other, and starts of a match that never end.
 *
 * @param length of each text
 */
export function* renderRepetitions(expression: RegExp, length: number): Generator<string> {
  const units = unitsOf(expression)
  const samples = atomsOf(expression).map(([first = '']) => first)
  const repeat = (unit: string, size = length) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
  for (const unit of units) {
    yield repeat(unit)
    // Almost a match: the suffix is neither the unit nor the end of the text.
    yield `${repeat(unit, length - 2)}\u0002!`
    for (const other of units) {
      if (other === unit) continue
      if (other > unit) yield repeat(unit + other)
      yield `${repeat(unit, length / 2)}${repeat(other, length / 2)}`
    }
  }
  for (let count = 1; count <= samples.length; count++) {
    const start = samples.slice(0, count).join('')
    yield repeat(start)
    yield `${start}${repeat(samples[count - 1] ?? '', length - start.length - 1)}\u0002`
  }
}

/** Runs an expression as the code does: removes all matches, or finds the first. */
export function runExpression(expression: RegExp, text: string): void {
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
}
