/** Tests the emulated commands of the runner. */
import { describe, expect, it, test } from 'vitest'
import { RunnerCommandReader, runnerCommands } from '../../tools/runner/command.ts'
import { splitOutput } from '../support/runner-view.ts'

const read = (line: string) => new RunnerCommandReader().read(line)

/** As text that a table can hold: `name {properties} data`. */
function brief(line: string): string | undefined {
  const command = read(line)
  if (command === undefined) return undefined
  const properties = [...command.properties].map(([name, value]) => `${name}=${value}`).join('|')
  return `${command.name} {${properties}} ${command.data}`
}

describe('a command in colons', () => {
  test.each([
    ['::error::broken', 'error {} broken'],
    ['::ERROR::broken', 'error {} broken'],
    ['::error::', 'error {} '],
    ['\t \u0085\u00a0\u2003\u2028\u3000::error::broken', 'error {} broken'],
    ['::error file=a.ts,line=1::broken', 'error {file=a.ts|line=1} broken'],
    ['::error   file=a.ts , Line=1  ::x', 'error {file=a.ts | line=1} x'],
    ['::error a==b=c,=d=e,f=,g,,h=1::x', 'error {a=b=c|d=e|h=1} x'],
    ['::error a=%2C%3A%0D%0A%25%2525::x', 'error {a=,:\r\n%%25} x'],
    ['::error::%0D%0A%25%2C%250A', 'error {} \r\n%%2C%0A'],
    ['::error::a::b', 'error {} a::b'],
    ['::error::##[debug]a', 'error {} ##[debug]a'],
    ['::error a::b::c', 'error {} b::c'],
  ])('%j is read', (line, expected) => {
    expect(brief(line)).toBe(expected)
  })
})

describe('a command in brackets', () => {
  test.each([
    ['##[error]broken', 'error {} broken'],
    ['anything before ##[error]broken', 'error {} broken'],
    ['::nonsense::##[error]broken', 'error {} broken'],
    ['##[Error file=a.ts;line=1]broken', 'error {file=a.ts|line=1} broken'],
    ['##[error a=%3B%5D%0A%25]%5D%3B%0A%253B', 'error {a=;]\n%} ];\n%3B'],
    ['##[group]##[debug]a', 'group {} ##[debug]a'],
  ])('%j is read', (line, expected) => {
    expect(brief(line)).toBe(expected)
  })
})

describe('text', () => {
  test.each([
    '',
    'plain',
    ': :error::x',
    'x ::error::x',
    '\ufeff::error::x',
    '\u200b::error::x',
    '::error:x',
    '::errors::x',
    ':: error::x',
    ':::error::x',
    '::::x',
    '::add-mas\u212a::x',
    '::\u017fet-output name=a::x',
    '::internal-set-repo-path repoFullName=a::x',
    '##[error',
    '## [error]x',
    '##\u200b[error]x',
    '##[nonsense]##[error]x',
    '##vso[task.setvariable]x',
    '# #[error]x',
  ])('%j is not a command', line => {
    expect(read(line)).toBeUndefined()
  })
})

describe('the effect of a command', () => {
  test.each([
    ['::set-env name=A::b', 'refused'],
    ['::add-path::/bin', 'refused'],
    ['##[add-path]/bin', 'refused'],
    ['::set-output name=a::b', 'done'],
    ['::set-output::b', 'refused'],
    ['::save-state nam=a::b', 'refused'],
    ['::echo::ON', 'done'],
    ['::echo::loud', 'refused'],
    ['::stop-commands::token', 'stop'],
    ['::stop-commands::', 'refused'],
    ['::stop-commands::Pause-Logging', 'refused'],
    ['::stop-commands::error', 'refused'],
  ])('%j: %s', (line, effect) => {
    expect(read(line)?.effect).toBe(effect)
  })

  it('is known for every existing command', () => {
    expect(runnerCommands.map(name => read(`::${name} name=a::on`)?.name)).toEqual(runnerCommands)
  })
})

it('stops and resumes at the token, in either form', () => {
  const reader = new RunnerCommandReader()
  expect(reader.read('::stop-commands::Token')?.effect).toBe('stop')
  expect(reader.read('::error::x')).toBeUndefined()
  expect(reader.read('::stop-commands::other')).toBeUndefined()
  expect(reader.read('##[TOKEN]')?.effect).toBe('resume')
  expect(reader.read('::token::')).toBeUndefined()
  expect(reader.read('::error::x')?.effect).toBe('done')
})

it('ends a line at CR, LF or both, and nowhere else', () => {
  expect(splitOutput('a\nb\rc\r\nd\u0085\u2028\u000b\fe\n\n')).toEqual([
    'a',
    'b',
    'c',
    'd\u0085\u2028\u000b\fe',
    '',
  ])
})
