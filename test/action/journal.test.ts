/** Tests the state that a step saves for its post step. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openHost } from '#action/host/host'
import { RunnerFileError, type Unwritten } from '#action/host/runner-files'
import { createJournal, readJournal } from '#action/journal'
import { Secrets } from '#action/secrets/secrets'
import { ActionError } from '#base/errors'
import type { Journal } from '#operations/base/context'
import type { Intent } from '#operations/base/journaled'
import type { Outcome } from '#operations/base/outcome'
import { unwritable } from '../support/unwritable.ts'

let folder: string
let state: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
  state = join(folder, 'state')
  writeFileSync(state, '')
  vi.stubEnv('GITHUB_STATE', state)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const ids = { project_id: 'p1', service_id: 's1' }
const record = { resource: 'service', ids, certain: true } as const
const outcome: Outcome = { operation: 'create-service', ids }
const intent: Intent = {
  ...({ operation: 'create-service', resource: 'service', ids: { project_id: 'p1' } } as const),
  ...{ match: { name: 'a' }, isUniqueName: true, existing: [], production: false },
  ...{ posts: 1, firstSent: 5, lastSent: 5 },
}

const fullOutput: Unwritten[] = [{ file: 'GITHUB_OUTPUT', cause: new Error('ENOSPC: full') }]

/** A journal with its entries in order. Each entry shows whether the state already has the id. */
function listen(unwritten: Unwritten[] = [], secrets = new Secrets()) {
  const told: string[] = []
  const note = (what: string) => {
    const isSaved = readFileSync(state, 'utf8').includes('s1')
    told.push(`${what}, ${isSaved ? 'saved' : 'not saved'}`)
  }
  const outputs: Outcome[] = []
  const journal = createJournal(
    {
      mask: () => note('masked'),
      log: () => note('logged'),
      setOutputs(set) {
        note('outputs set')
        outputs.push(set)
        return unwritten
      },
      warn: line => told.push(line),
    },
    secrets,
    openHost(),
  )
  return { journal, told, outputs }
}

function failureOf(journal: ReturnType<typeof createJournal>, made = outcome): RunnerFileError {
  try {
    journal.announce(record, made)
  } catch (failure) {
    if (failure instanceof RunnerFileError) return failure
    throw failure
  }
  throw new Error('nothing was thrown')
}

describe('a new record', () => {
  it('is masked, saved, logged and then in the outputs', () => {
    const { journal, told } = listen()
    journal.announce(record, outcome)
    expect(told).toEqual(['masked, not saved', 'logged, saved', 'outputs set, saved'])
  })

  it.each(unwritable)('is logged and in the outputs if the state is %s', (_, pathIn, reason) => {
    vi.stubEnv('GITHUB_STATE', pathIn(folder))
    const { journal, told } = listen()
    const failure = failureOf(journal)
    expect(failure.message).toMatch(
      /^create-service created service s1, whose id is in the log and the outputs, but GITHUB_STATE cannot be written \(/,
    )
    expect(failure.message).toMatch(reason)
    expect(failure.next).toContain('delete the service, unless `cleanup` makes the post step do so')
    expect(told).toEqual(['masked, not saved', 'logged, not saved', 'outputs set, not saved'])
  })

  it('is logged and in the state if the outputs cannot be set', () => {
    const { journal, told } = listen(fullOutput)
    const failure = failureOf(journal)
    expect(failure.message).toBe(
      'create-service created service s1, whose id is in the log and the state, but GITHUB_OUTPUT cannot be written (ENOSPC: full)',
    )
    expect(failure.next).toContain('do not change GITHUB_OUTPUT')
    expect(told).toContain('logged, saved')
  })

  it('is logged if neither can be written, and both are reported', () => {
    vi.stubEnv('GITHUB_STATE', '/dev/full')
    const failure = failureOf(listen(fullOutput).journal)
    expect(failure.message).toMatch(
      /whose id is in the log, but GITHUB_STATE cannot be written \(ENOSPC.*\) and GITHUB_OUTPUT cannot/,
    )
  })

  it('belongs to the next run if it is a preview', () => {
    const failure = failureOf(listen(fullOutput).journal, { ...outcome, pullRequest: 7 })
    expect(failure.next).toContain('run the step again: it continues with the existing preview')
  })

  it('is not saved if its id is a secret', () => {
    const secrets = new Secrets()
    secrets.add('hush-hush')
    const { journal } = listen([], secrets)
    journal.announce({ resource: 'service', ids: { service_id: 'hush-hush' }, certain: true }, outcome)
    expect(readFileSync(state, 'utf8')).toBe('')
  })
})

describe('the post step', () => {
  const readSaved = (saved: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(saved)) vi.stubEnv(`STATE_${name}`, JSON.stringify(value))
    return readJournal(openHost())
  }

  it('reads the values that the step saved', () => {
    expect(readSaved({ intent, created: record })).toEqual({ intent, created: record })
  })

  it('reads a step that created nothing', () => {
    expect(readSaved({})).toEqual({ intent: undefined, created: undefined })
  })

  it.each([
    ['intent', { intent: { ...intent, resource: 'table' } }, 'resource'],
    ['intent', { intent: { ...intent, existing: 's1' } }, 'existing'],
    ['created', { intent, created: { ...record, certain: 'yes' } }, 'certain'],
    ['created', { intent, created: { ...record, ids: { service_id: 7 } } }, 'ids.service_id'],
  ])('refuses a malformed %s: %j', (name, saved, path) => {
    expect(() => readSaved(saved)).toThrow(
      `nothing is cleaned up: ${name}: it does not have the expected form at ${path}`,
    )
  })
})

describe('if the state cannot be written', () => {
  it.each(unwritable)('because it is %s, no request is sent', (_, pathIn, reason) => {
    vi.stubEnv('GITHUB_STATE', pathIn(folder))
    const intend = () => listen().journal.intend(intent)
    expect(intend).toThrow(ActionError)
    expect(intend).toThrow(/GITHUB_STATE cannot be written/)
    expect(intend).toThrow(reason)
  })

  it.each([
    ['why nothing was created', (journal: Journal) => journal.withdraw()],
    ['that an answer was lost for good', (journal: Journal) => journal.intend({ ...intent, searched: true })],
  ])('%s is reported nevertheless', (_, write) => {
    vi.stubEnv('GITHUB_STATE', '/dev/full')
    const { journal, told } = listen()
    write(journal)
    expect(told).toEqual([expect.stringMatching(/^GITHUB_STATE cannot be written \(ENOSPC/)])
  })
})

describe('the outcome of a failing operation', () => {
  const seen = { operation: 'create-service', ids: record.ids, resource: 'service', result: 1 } as const

  it('is added to the announced outcome of the same record', () => {
    const { journal, outputs } = listen()
    journal.announce(record, { ...outcome, resource: 'service', password: 'hush-hush' })
    journal.publish(seen)
    expect(outputs.at(-1)).toEqual({ ...outcome, ...seen, password: 'hush-hush' })
  })

  it('is added to earlier outcomes', () => {
    const { journal, outputs } = listen()
    journal.publish({ operation: 'reset-preview', ids: {}, deletedIds: ['s0'] })
    journal.publish(seen)
    expect(outputs.at(-1)).toEqual({ ...seen, deletedIds: ['s0'] })
  })

  it('does not replace another announced record', () => {
    const { journal, outputs } = listen()
    journal.announce(record, { ...outcome, resource: 'service' })
    journal.publish({ ...seen, ids: { service_id: 's9' } })
    expect(outputs).toHaveLength(1)
  })

  it('is missing if the outputs cannot be set, with a warning', () => {
    const { journal, told } = listen(fullOutput)
    journal.publish(seen)
    expect(told.at(-1)).toMatch(/^GITHUB_OUTPUT cannot be written .*: later steps do not get/)
  })
})
