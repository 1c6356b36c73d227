/** Generates texts that imitate commands, markup or code, and checks their output. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { runnerCommands } from '../../tools/runner/command.ts'
import { anyText } from './any-text.ts'

/** Delimiters of commands in a line or a file, and texts that decode to them. */
const marks = ['::', '##[', '##vso[', ']', ':', '#', '##', '[', ' ', ',', ';', '=', '<<', 'name=', '%', '%%']
const escapes = ['%0A', '%0D', '%25', '%250A', '%3A', '%3A%3A', '%2C', '%5D', '%3B', '%0a', '\\n', '\\u0023']
const lineEnds = ['\n', '\r', '\r\n', '\n\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\x1c', '\x1e']
const blanks = ['\t', '\u00a0', '\u1680', '\u2003', '\u202f', '\u3000']
const invisible = [
  ...['\ufeff', '\u200b', '\u200c', '\u200d', '\u2060'],
  ...['\u00ad', '\u061c', '\u180e', '\u{e0001}', '\u{e0041}'],
  // These are no format characters, but also invisible.
  ...['\u034f', '\u115f', '\u3164', '\uffa0', '\ufe0f', '\u{e0100}', '\u17b4'],
  ...['\u202a', '\u202d', '\u202e', '\u2066', '\u2067', '\u2069'],
]
const controls = ['\0', '\x07', '\b', '\x1b[2J', '\x1b[31m', '\x1b]0;title\x07', '\x1b', '\x7f', '\x9b2J']
const surrogates = ['\ud800', '\udc00', '\udbff', '😀', '\ufffd']
const lookalikes = ['\uff1a\uff1a', '\u2236\u2236', '\uff03\uff03[', '\u0589', '\u2a74', '\u0301', '\u20e3']
const markup = [
  ...['|', '`', '```', '<', '>', '<!--', '-->', '</details>', '[a](b)', '![a](b)', '@team', '#1', '&lt;'],
]
const shell = ['$(id)', '`id`', "'", '"', '\\', '$', '&&', '!', '*', '~', '{a,b}', '^', '\\\n']
const delimiters = [
  ...['ghadelimiter_', 'ghadelimiter_00000000-0000-4000-8000-000000000000'],
  ...['EOF', '<<EOF\n', '\nEOF\n', 'NODE_OPTIONS=--require=/x'],
]
const wholeCommands = runnerCommands.flatMap(name => [
  `::${name}::`,
  `::${name} name=a::`,
  `##[${name}]`,
  `##[${name} name=a]`,
  name,
  name.toUpperCase(),
])
const properties = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

const pieces = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...marks, ...lineEnds) },
  { weight: 4, arbitrary: fc.constantFrom(...wholeCommands) },
  { weight: 3, arbitrary: fc.constantFrom(...invisible, ...blanks, ...controls) },
  { weight: 2, arbitrary: fc.constantFrom(...escapes, ...surrogates, ...lookalikes) },
  { weight: 2, arbitrary: fc.constantFrom(...markup, ...shell, ...delimiters, ...properties) },
  { weight: 1, arbitrary: anyText({ maxLength: 6 }) },
)

/** Texts of a server that imitate commands, markup or code. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: fc.array(pieces, { maxLength: 10 }).map(parts => parts.join('')) },
  // Near the length at which lines are cut: a cut must not turn harmless text into a command.
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', ' ', ':', '#', '😀', '\u200b', '\n'),
        fc.integer({ min: 3985, max: 4001 }),
        pieces,
      )
      .map(([filler, length, end]) => filler.repeat(length) + end.repeat(3)),
  },
)

/** The number of texts that all tests send together: HOSTILE_CASES, by default 4,000, and 300,000 each night. */
const total = Number(process.env.HOSTILE_CASES || 4_000)

/**
 * Checks a result for hostile texts; each name stands for one text of a run. Fails if `check` saw fewer texts
 * than the share.
 *
 * @param share of all texts, as a fraction
 */
export function checkHostile<const Name extends string>(
  share: number,
  names: Name[],
  check: (texts: Record<Name, string>) => void,
): void {
  const texts = fc.record(Object.fromEntries(names.map(name => [name, hostileText])))
  const wanted = total * share
  let sent = 0
  const property = fc.property(texts, given => {
    check(given as Record<Name, string>)
    sent += names.length
  })
  fc.assert(property, { numRuns: Math.ceil(wanted / names.length) })
  expect(sent).toBeGreaterThanOrEqual(wanted)
}

/** Captures the output of `act` to stdout and stderr. The runner reads commands from both. */
export function captureOutput(act: () => void): string {
  const streams = [process.stdout, process.stderr]
  const writes = streams.map(stream => stream.write)
  let text = ''
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array) => {
      text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }
  }
  try {
    act()
  } finally {
    streams.forEach((stream, index) => {
      stream.write = writes[index] as typeof stream.write
    })
  }
  // A lone surrogate leaves the process as U+FFFD.
  return text.toWellFormed()
}

/** The most dangerous texts, for tests of whole steps. */
export const worstTexts: readonly string[] = [
  ...runnerCommands.map(name => `x\n::${name} name=PATH::/tmp/evil`),
  ...runnerCommands.map(name => `::${name}::##[${name} name=PATH]/tmp/evil`),
  '\r::set-output name=service_id::evil',
  '\r\n##[add-mask]e\r\n##vso[task.setvariable variable=a]b',
  '%0A::error::evil%0D%0A::add-mask::e',
  '\u0085::error::evil\u2028::error::evil\u2029::error::evil\v\f::error::evil',
  '\ufeff::error::evil',
  '\u200b::error::evil #\u200b#[error]evil ##\u200d[error]evil #\u034f#\u3164[error]evil',
  '\u202e\u2066gnihton si siht\u2069 \x1b[2J\x1b]0;evil\x07',
  'a<<EOF\nevil\nEOF\nservice_id=evil\nNODE_OPTIONS=--require=/tmp/evil',
  'ghadelimiter_00000000-0000-4000-8000-000000000000\nservice_id=evil\n',
  '\nservice_id=evil\nservice_id<<E\nevil\nE\n',
  '$(touch /tmp/evil)`touch /tmp/evil`"; touch /tmp/evil; \'',
  '| a | b |\n|---|---|\n</td></table><img src=x onerror=alert(1)> @everyone [x](javascript:alert(1))',
  '```\n</details></pre><script>alert(1)</script>',
  '\ud800::error::\udc00',
  '\0::error::\0evil',
  ':'.repeat(5000),
  '##['.repeat(5000),
]
