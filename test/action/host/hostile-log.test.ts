/** Tests that hostile texts form no commands in the log. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLog, openEdge } from '#action/host/edge'
import { openHost } from '#action/host/host'
import { encodings, Secrets } from '#action/secrets/secrets'
import { reportFailure } from '#action/step'
import { ApiError, UnreadableAnswerError } from '#base/errors'
import { RunnerCommandReader } from '../../../tools/runner/command.ts'
import { captureOutput, checkHostile } from '../../support/hostile-text.ts'
import { splitOutput } from '../../support/runner-view.ts'

beforeAll(() => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', '')
})
afterAll(() => {
  vi.unstubAllEnvs()
  process.exitCode = undefined
})

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** How the runner reads the printed lines: as commands, or as a line of text. */
function heard(printed: string): { name: string; data: string }[] {
  const reader = new RunnerCommandReader()
  return splitOutput(printed).map(line => {
    const command = reader.read(line)
    if (command === undefined) return { name: 'text', data: line }
    const { name, properties } = command
    const title = properties.get('title')
    const isTitled = name === 'error' || name === 'warning'
    const isMeant = isTitled ? properties.size === 1 && title && isHarmless(title) : properties.size === 0
    if (!isMeant || command.effect !== 'done') throw new Error(`not meant: ${line}`)
    return command
  })
}

/** No text looks like a command, not even to a more generous parser than the runner's. */
const isHarmless = (text: string) =>
  !unseen.test(text) && !text.includes('##[') && !text.trimStart().startsWith('::')

/** The data of the commands that the runner reads. Each has only a title as property, and harmless data. */
function expectHeard(printed: string, names: string[]): string[] {
  const lines = heard(printed)
  const others = lines.filter(({ name, data }, index) => name !== names[index] || !isHarmless(data))
  if (others.length > 0 || lines.length !== names.length) expect(lines).toEqual(names)
  return lines.map(({ data }) => data)
}

/** As `expectHeard`, with debug lines behind: the stack of an error. */
function expectHeardFirst(printed: string, names: string[]): void {
  const debug = splitOutput(printed).slice(names.length)
  expectHeard(printed, [...names, ...debug.map(() => 'debug')])
}

describe('for a hostile text', () => {
  test('the log prints one line, or the intended command, with the same words', () => {
    const secrets = new Secrets()
    secrets.add('correct horse')
    checkHostile(0.56, ['text'], ({ text }) => {
      const log = createLog(secrets, text, openHost())
      const printed = captureOutput(() => {
        log.info(text)
        log.debug(text)
        log.notice(text)
        log.warning(text, text)
        log.failure(text, text)
      })
      const [words, ...others] = expectHeard(printed, ['text', 'debug', 'notice', 'warning', 'error'])
      expect(new Set(others)).toEqual(new Set([words]))
    })
  })

  test('a mask hides the text and its encodings, and nothing else', () => {
    checkHostile(0.01, ['secret'], ({ secret }) => {
      const log = createLog(new Secrets(), 'get-service', openHost())
      const lines = heard(captureOutput(() => log.mask(secret)))
      for (const { name } of lines) expect(name).toBe('add-mask')
      const masked = new Set(lines.map(({ data }) => data))
      // Of several lines each is a mask of its own, and one that would break the runner is another: see log.ts.
      const plain = encodings(secret).filter(
        text =>
          secret.trim() !== '' && /^[^\r\n]{4,}$/.test(text) && text.trim() === text && !text.includes('&+'),
      )
      for (const text of plain) expect(masked).toContain(text.toWellFormed())
    })
  })
})

describe('for a hostile answer', () => {
  const call = { operation: 'get-service', method: 'GET', path: '/projects/p/services/s' }
  const fail = (error: unknown) =>
    captureOutput(() => reportFailure(openEdge('get-service', openHost()), 'get-service', error))

  test('the error of the API is one error, its details one line, its stack debug lines', () => {
    checkHostile(0.12, ['code', 'message', 'details', 'key'], ({ code, message, details, key }) => {
      const answer = { status: 400, code, message, details: { [key]: [details] } }
      expectHeardFirst(fail(new ApiError(call, answer)), ['error', 'text'])
    })
  })

  test('an unreadable answer is one error', () => {
    checkHostile(0.06, ['contentType', 'problem'], ({ contentType, problem }) => {
      const error = new UnreadableAnswerError(call, { status: 502, contentType, problem })
      expectHeardFirst(fail(error), ['error'])
    })
  })
})
