/** Tests masks and annotations in the log. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '#action/host/edge'
import { openHost } from '#action/host/host'
import { Secrets } from '#action/secrets/secrets'
import { RunnerMasker } from '../../../tools/runner/masker.ts'

let printed = ''
beforeEach(() => {
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    printed += text
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

/** The data of the masks printed so far. */
const masks = () =>
  [...printed.matchAll(/^::add-mask::(.*)$/gm)].map(([, data = '']) =>
    data.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%'),
  )

describe('a mask', () => {
  test.each<[string, secret: string]>([
    ['of a text', 'p@ss'],
    ['too short to be redacted', 'x7'],
    ['of several lines', 'the first\nthe second&+\nx&+'],
    ['that the runner would fail on', 'sesame&+'],
    ['that the runner would fail on once it is trimmed', ' sesame&+ '],
    ['with a plus after an ampersand', 'open&+sesame&+'],
  ])('%s is accepted by the runner', (_, secret) => {
    createLog(new Secrets(), 'get-service', openHost()).mask(secret)
    const runner = new RunnerMasker()
    expect(masks()).not.toEqual([])
    expect(masks().filter(data => !runner.addMask(data))).toEqual([])
    const [first = ''] = secret.split('\n')
    // A plus at its end may be left.
    expect(runner.mask(`a ${first.trim()}`)).toMatch(/^a \*\*\*\+?$/)
  })

  test('is set once', () => {
    const log = createLog(new Secrets(), 'get-service', openHost())
    for (const secret of ['p@ss', 'p@ss', 'x7', 'x7']) log.mask(secret)
    expect(masks().filter(data => data === 'p@ss' || data === 'x7')).toEqual(['p@ss', 'x7'])
  })

  test('is set even if the secret was only redacted before', () => {
    const secrets = new Secrets()
    secrets.add('p@ss')
    createLog(secrets, 'get-service', openHost()).mask('p@ss')
    expect(masks()).toContain('p@ss')
  })

  test.each(['', ' '])('of %j is not set', secret => {
    createLog(new Secrets(), 'get-service', openHost()).mask(secret)
    expect(printed).toBe('')
  })
})

describe('the title of an annotation', () => {
  const secrets = new Secrets()
  secrets.add('correct horse')

  test.each<[string, operation: string, about: string | undefined, title: string]>([
    ['says the operation and what it is about', 'get-service', 'no comment', 'get-service%3A no comment'],
    ['says the operation alone where nothing more is said', 'get-service', undefined, 'get-service'],
    ['names the action without an operation', ' ', 'failed', 'managed-database-action%3A failed'],
    ['names no operation with a secret', 'correct horse', 'failed', 'managed-database-action%3A failed'],
    ['names nothing that is no operation', 'a,file=b::c', undefined, 'managed-database-action'],
    ['names nothing that is too long', 'x'.repeat(70), undefined, 'managed-database-action'],
    ['holds no secret', 'get-service', 'a correct horse', 'get-service%3A a ***'],
    ['ends no command', 'get-service', 'a,file=b::c\n::d', 'get-service%3A a%2Cfile=b%3A%3Ac %3A%3Ad'],
  ])('%s', (_, operation, about, title) => {
    createLog(secrets, operation, openHost()).warning('look: there', about)
    expect(printed).toBe(`::warning title=${title}::look: there\n`)
  })

  test('has no secret in its file name', () => {
    const place = { file: 'db/correct horse.sql', line: 2, column: 3 }
    createLog(secrets, 'run-sql', openHost()).warning('look', undefined, place)
    expect(printed).toBe('::warning title=run-sql,file=db/***.sql,line=2,col=3::look\n')
  })

  test('is the same for an error, which fails the step', () => {
    createLog(secrets, 'get-service', openHost()).failure('no', 'failed')
    expect(printed).toBe('::error title=get-service%3A failed::no\n')
    expect(process.exitCode).toBe(1)
    process.exitCode = undefined
  })
})
