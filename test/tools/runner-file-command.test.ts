/** Tests the emulated command files of the runner. */
import { describe, expect, it, test } from 'vitest'
import { parseEnvironmentFile, parseFileCommands, readFileCommands } from '../../tools/runner/file-command.ts'

type Pairs = [string, string][]

const unix = (text: string) => [...readFileCommands(text, false)]

describe('a file of commands', () => {
  test.each<[string, Pairs]>([
    ['', []],
    ['\n\n', []],
    ['a=b', [['a', 'b']]],
    ['\ufeffa=b\n', [['a', 'b']]],
    ['a=b\r\n', [['a', 'b\r']]],
    ['a=b=c<<d\n', [['a', 'b=c<<d']]],
    ['=b\n', [['', 'b']]],
    ['a<<E\nE\n', [['a', '']]],
    ['a<<E\n\nE\n', [['a', '']]],
    ['a<<E\n\n\nE', [['a', '\n']]],
    [
      'a<<E\nb=c\n\n d\r\nE\ne=f\n',
      [
        ['a', 'b=c\n\n d\r'],
        ['e', 'f'],
      ],
    ],
    ['a<<E=F\nb\nE=F\n', [['a', 'b']]],
    ['a<<b<<c\nd\nb<<c\n', [['a', 'd']]],
    ['a<<E\n E\nE \nE\n', [['a', ' E\nE ']]],
    [
      'a=1\na=2\n',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
  ])('%j is read', (text, expected) => {
    expect(unix(text)).toEqual(expected)
  })

  test.each([
    'a',
    'a\nb=c',
    'a<<E',
    'a<<E\n',
    'a<<E\nb',
    'a<<E\nb\n',
    'a<<\n\n',
    '<<E\nE\n',
    'a<<E\nE\u2028',
  ])('%j is rejected', text => {
    expect(() => unix(text)).toThrow(/^(invalid format|matching delimiter|the end marker)/)
  })

  it('returns the values before a malformed line', () => {
    const pairs = readFileCommands('a=b\nbad\n', false)
    expect(pairs.next().value).toEqual(['a', 'b'])
    expect(() => pairs.next()).toThrow(/^(invalid format|matching delimiter|the end marker)/)
  })

  it('may have lines that end in CR LF on Windows', () => {
    expect([...readFileCommands('a=b\r\nc<<E\r\nd\r\ne\r\nE\r\n', true)]).toEqual([
      ['a', 'b'],
      ['c', 'd\r\ne'],
    ])
  })
})

it('takes the last value of a name, and treats no name specially', () => {
  const values = parseFileCommands('a=1\na=2\n__proto__=3\n')
  expect(Object.entries(values)).toEqual([
    ['a', '2'],
    ['__proto__', '3'],
  ])
})

it('lets no step set NODE_OPTIONS', () => {
  expect(parseEnvironmentFile('Node_Options=--inspect\nPGHOST=a\n')).toEqual({ PGHOST: 'a' })
})
