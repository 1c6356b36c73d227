/** Tests the state that a step saves for its post step. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEdge } from '#action/host/edge'
import { openHost } from '#action/host/host'
import { RunnerFileError } from '#action/host/runner-files'
import { createJournal, readJournal } from '#action/journal'
import { ActionError } from '#base/errors'
import type { Journal } from '#operations/base/context'
import type { Intent } from '#operations/base/journaled'
import type { Outcome } from '#operations/base/outcome'
import { parseFileCommands } from '../../tools/runner/file-command.ts'
import { unwritable } from '../support/unwritable.ts'
import { useWorkspace } from '../support/workspace.ts'

const { path: folder, write } = useWorkspace()
const [state, output] = [join(folder, 'state'), join(folder, 'output')]
beforeEach(() => {
  write({ state: '', output: '' })
  vi.stubEnv('GITHUB_STATE', state)
  vi.stubEnv('GITHUB_OUTPUT', output)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const ids = { project_id: 'p1', service_id: 's1' }
const record = { resource: 'service', ids, certain: true } as const
const outcome: Outcome = { operation: 'create-service', ids }
const intent: Intent = {
  ...({ operation: 'create-service', resource: 'service', ids: { project_id: 'p1' } } as const),
  ...{ match: { name: 'a' }, isUniqueName: true, existing: [], production: false },
  ...{ posts: 1, firstSent: 5, lastSent: 5 },
}

/** A journal with its effects in order. Each effect shows whether the state already has the id. */
function listen() {
  const effects: string[] = []
  const note = (effect: string) => {
    const isSaved = readFileSync(state, 'utf8').includes('s1')
    effects.push(`${effect}, ${isSaved ? 'saved' : 'not saved'}`)
  }
  const host = openHost()
  const setOutput = (name: string, value: unknown) => {
    host.toolkit.setOutput(name, value)
    if (name === 'service_id') note('outputs set')
  }
  const edge = openEdge('create-service', { ...host, toolkit: { ...host.toolkit, setOutput } })
  Object.assign(edge.log, {
    mask: () => note('masked'),
    info: () => note('logged'),
    warning: (line: string) => effects.push(line),
  })
  const journal = createJournal(edge, { user: 'u', database: 'd', sslmode: 'require' })
  return { journal, effects, secrets: edge.secrets }
}

const breakOutputs = () => vi.stubEnv('GITHUB_OUTPUT', '/dev/full')
const readOutputs = () => parseFileCommands(readFileSync(output, 'utf8'))

function failureOf({ journal }: ReturnType<typeof listen>, created = outcome): RunnerFileError {
  try {
    journal.announce(record, created)
  } catch (failure) {
    if (failure instanceof RunnerFileError) return failure
    throw failure
  }
  throw new Error('nothing was thrown')
}

describe('a new record', () => {
  const known = { ...outcome, password: 'hush-hush' }

  it('is masked, saved, logged and then in the outputs', () => {
    const { journal, effects } = listen()
    journal.announce(record, { ...known, initialPassword: 'first' })
    expect(effects.slice(0, 3)).toEqual(['masked, not saved', 'masked, not saved', 'logged, saved'])
    expect(effects.at(-1)).toBe('outputs set, saved')
  })

  it.each(unwritable)('is logged and in the outputs if the state is %s', (_, pathIn, reason) => {
    vi.stubEnv('GITHUB_STATE', pathIn(folder))
    const listened = listen()
    const failure = failureOf(listened)
    expect(failure.message).toMatch(
      /^create-service created service s1, whose id is in the log and the outputs, but GITHUB_STATE cannot be written \(/,
    )
    expect(failure.message).toMatch(reason)
    expect(failure.next).toContain('delete the service, unless `cleanup` makes the post step do so')
    expect(listened.effects).toEqual(['logged, not saved', 'outputs set, not saved'])
  })

  it('is logged and in the state if the outputs cannot be set', () => {
    breakOutputs()
    const listened = listen()
    const failure = failureOf(listened)
    expect(failure.message).toMatch(
      /^create-service created service s1, whose id is in the log and the state, but GITHUB_OUTPUT cannot be written \(ENOSPC/,
    )
    expect(failure.next).toContain('do not change GITHUB_OUTPUT')
    expect(listened.effects).toContain('logged, saved')
  })

  it('is logged if neither can be written, and both are reported', () => {
    vi.stubEnv('GITHUB_STATE', '/dev/full')
    breakOutputs()
    expect(failureOf(listen()).message).toMatch(
      /whose id is in the log, but GITHUB_STATE cannot be written \(ENOSPC.*\) and GITHUB_OUTPUT cannot/,
    )
  })

  it('belongs to the next run if it is a preview', () => {
    breakOutputs()
    const failure = failureOf(listen(), { ...outcome, pullRequest: 7 })
    expect(failure.next).toContain('run the step again: it continues with the existing preview')
  })

  it('is not saved if its id is a secret', () => {
    const { journal, secrets } = listen()
    secrets.add('hush-hush')
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
    const { journal, effects } = listen()
    write(journal)
    expect(effects).toEqual([expect.stringMatching(/^GITHUB_STATE cannot be written \(ENOSPC/)])
  })
})

describe('the outcome of a failing operation', () => {
  const seen = {
    operation: 'create-service',
    ids,
    resource: 'service',
    result: { service_id: 's1' },
  } as const

  it('is added to the announced outcome of the same record', () => {
    const { journal } = listen()
    journal.announce(record, { ...outcome, resource: 'service', password: 'hush-hush' })
    journal.publish(seen)
    expect(readOutputs()).toMatchObject({
      service_id: 's1',
      result: '{"service_id":"s1"}',
      password: 'hush-hush',
    })
  })

  it('is added to earlier outcomes', () => {
    const { journal } = listen()
    journal.publish({ operation: 'reset-preview', ids: {}, deletedIds: ['s0'] })
    journal.publish(seen)
    expect(readOutputs()).toMatchObject({ result: '{"service_id":"s1"}', deleted_ids: 's0' })
  })

  it('does not replace another announced record', () => {
    const { journal, effects } = listen()
    journal.announce(record, { ...outcome, resource: 'service' })
    journal.publish({ ...seen, ids: { service_id: 's9' } })
    expect(effects.filter(effect => effect.startsWith('outputs set'))).toHaveLength(1)
    expect(readOutputs().service_id).toBe('s1')
  })

  it('is missing if the outputs cannot be set, with a warning', () => {
    breakOutputs()
    const { journal, effects } = listen()
    journal.publish(seen)
    expect(effects.at(-1)).toMatch(/^GITHUB_OUTPUT cannot be written .*: later steps do not get/)
  })
})
