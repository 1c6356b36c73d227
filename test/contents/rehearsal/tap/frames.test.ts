/** Tests the splitting of a byte stream into messages. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { fatalError, readFields, readText, withoutChannelBinding } from '#contents/rehearsal/tap/messages'
import { Frames, ProtocolError } from '#postgres/frames'
import { message, parse } from './support/raw-client.ts'

const most = 9000

/** The messages of a stream in these chunks. Messages that are relayed in parts become one text. */
function readAll(chunks: Buffer[]): string[] {
  const frames = new Frames({ bulk: 'd', largestKept: most })
  const seen: string[] = []
  let passed = ''
  const flush = () => {
    if (passed !== '') seen.push(passed)
    passed = ''
  }
  for (const chunk of chunks) {
    frames.push(chunk)
    for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
      const text = frame.bytes.toString('latin1')
      if (frame.kind === 'piece') passed += text
      else {
        flush()
        if (frame.kind === 'start') passed = text
        else seen.push(text)
      }
    }
  }
  flush()
  expect(frames.drain()).toHaveLength(0)
  return seen
}

it('reads the same messages from a stream with any chunks', () => {
  const small = fc.uint8Array({ maxLength: 40 })
  const body = fc.oneof(
    { weight: 5, arbitrary: small },
    {
      weight: 1,
      arbitrary: fc.integer({ min: most - 10, max: most + 10_000 }).map(size => new Uint8Array(size)),
    },
  )
  const any = fc.tuple(fc.constantFrom('Q', 'P', 'd', 'd', 'S'), body)
  fc.assert(
    fc.property(
      fc.array(any, { maxLength: 8 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
      (parts, cuts) => {
        const messages = parts.map(([letter, bytes]) => message(letter, Buffer.from(bytes)))
        const stream = Buffer.concat(messages)
        const at = cuts.map(cut => Math.floor(cut * stream.length)).sort((one, other) => one - other)
        const chunks = [...at, stream.length].map((end, index) => stream.subarray(at[index - 1] ?? 0, end))
        // Relayed messages are one run of bytes, however many there were.
        const expected: string[] = []
        let wasBulk = false
        for (const bytes of messages) {
          const isBulk = bytes.toString('latin1', 0, 1) === 'd'
          const text = bytes.toString('latin1')
          const isOpen = wasBulk && expected.length > 0
          if (isBulk && isOpen) expected.push(expected.pop() + text)
          else expected.push(text)
          wasBulk = isBulk || bytes.length > most
        }
        expect(readAll(chunks)).toEqual(expected)
      },
    ),
  )
})

it('refuses a malformed message', () => {
  const frames = new Frames({ bulk: '', largestKept: most })
  frames.push(Buffer.from([81, 0, 0, 0, 3]))
  expect(() => frames.next()).toThrow(ProtocolError)
})

describe('messages', () => {
  test.each<[what: string, read: unknown, expected: unknown]>([
    ['a text, and where it ends', readText(parse('né', 'SELECT 1'), 5), { value: 'né', end: 9 }],
    ['a text without an end', readText(Buffer.from('Q\0\0\0\0abc'), 5), { value: 'abc', end: 9 }],
    [
      'the fields of an error',
      [...readFields(fatalError('08006', 'gone'))],
      [
        ['S', 'FATAL'],
        ['V', 'FATAL'],
        ['C', '08006'],
        ['M', 'gone'],
      ],
    ],
    ['fields that are cut off', [...readFields(message('E', Buffer.from('C08006')))], [['C', '08006']]],
    [
      'ways to log in, without those that are bound to TLS',
      withoutChannelBinding(message('R', Buffer.from('\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0'))),
      message('R', Buffer.from('\0\0\0\x0aSCRAM-SHA-256\0\0')),
    ],
    [
      'another way to log in',
      withoutChannelBinding(message('R', Buffer.from('\0\0\0\0'))),
      message('R', Buffer.from('\0\0\0\0')),
    ],
  ])('%s', (_, read, expected) => {
    expect(read).toEqual(expected)
  })
})
