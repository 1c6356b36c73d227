/** Tests that hostile texts stay data in the runner's files. */
import { describe, expect, test } from 'vitest'
import { openEdge } from '#action/host/edge'
import { openHost } from '#action/host/host'
import { createJournal } from '#action/journal'
import type { OutputSource } from '#action/outputs/output-source'
import { exportConnection, writeOutputs } from '#action/outputs/write-outputs'
import { Service } from '#api/records'
import type { Intent } from '#operations/base/journaled'
import { RunnerCommandReader } from '../../../tools/runner/command.ts'
import { readFileCommands } from '../../../tools/runner/file-command.ts'
import { captureOutput, checkHostile } from '../../support/hostile-text.ts'
import { useRunnerFiles } from '../../support/runner-files.ts'
import { splitOutput } from '../../support/runner-view.ts'

const files = useRunnerFiles()

const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
const fields = ['service_id', 'name', 'status', 'region_code', 'service_type', 'created', 'host'] as const
const plainOutputs = ['service_id', 'name', 'status', 'region_code', 'service_type'] as const

/** The knowledge of a step after a server put these texts into every possible field. */
function sourceOf(texts: Record<(typeof fields)[number], string>, password: string): OutputSource {
  const { host, ...rest } = texts
  const record = Service.parse({ ...rest, endpoint: { host, port: 5432 }, [rest.name]: rest.status })
  return {
    login,
    outcome: {
      operation: 'create-service',
      resource: 'service',
      ids: { project_id: 'p', service_id: record.service_id },
      record,
      result: { ...record, initial_password: password },
      initialPassword: password,
      password,
      commentUrl: host,
    },
  }
}

/** The masks that the runner reads in the output; it reads no other command. */
function expectOnlyMasks(printed: string): void {
  const reader = new RunnerCommandReader()
  const heard = splitOutput(printed).map(line => reader.read(line)?.name)
  expect(heard.filter(name => name !== 'add-mask')).toEqual([])
}

/** Exactly these names, each once, with exactly these values; a lone surrogate cannot be written to a file. */
function expectPairs(text: string, expected: Record<string, string>): void {
  const pairs = [...readFileCommands(text)]
  expect(pairs.map(([name]) => name).sort()).toEqual(Object.keys(expected).sort())
  for (const [name, value] of pairs) expect(value).toBe(expected[name]?.toWellFormed())
}

/** For values that the test does not know: the written value under each required name. */
const written = (text: string) => new Map(readFileCommands(text))

describe('with a hostile record', () => {
  test('the outputs are the intended ones, and safe in scripts', () => {
    checkHostile(0.08, [...fields, 'password'], ({ password, ...texts }) => {
      const source = sourceOf(texts, password)
      const edge = openEdge('get-service', openHost())
      let printed = ''
      const { GITHUB_OUTPUT } = files.captureFiles(() => {
        printed = captureOutput(() => writeOutputs(source, edge))
      })
      expectOnlyMasks(printed)
      const outputs = written(GITHUB_OUTPUT)
      expect([...outputs.keys()]).toEqual([...edge.outputNames])
      for (const name of plainOutputs) expect(outputs.get(name)).toMatch(/^[\p{L}\p{N} _.,:;@/+=%-]*$/u)
      expect(outputs.get('password')).toBe(password.toWellFormed())
      expect(JSON.parse(outputs.get('result') ?? '')).toMatchObject({
        name: texts.name,
        status: texts.status,
      })
      expect(outputs.get('result')).not.toMatch(/##\[|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}'`$&!<>]/u)
      for (const url of ['host', 'database_url', 'jdbc_url', 'comment_url'])
        expect(outputs.get(url) ?? '').toMatch(/^[\w./:?&=%@[\]#~-]*$/)
    })
  })

  test('the variables for later steps are the intended ones', () => {
    checkHostile(0.05, ['host', 'password'], ({ host, password }) => {
      const names = Object.fromEntries(fields.map(name => [name, 'plain'])) as Record<
        (typeof fields)[number],
        string
      >
      const edge = openEdge('get-service', openHost())
      // A variable of a process ends at a NUL.
      const source = sourceOf({ ...names, host: `a${host}` }, password.replaceAll('\0', ''))
      const { GITHUB_ENV } = files.captureFiles(() => {
        expect(captureOutput(() => exportConnection(source, edge))).not.toMatch(
          /^::(?!warning title=[^:]*::)/m,
        )
      })
      const exported = written(GITHUB_ENV)
      if (exported.size === 0) return
      const { PGHOST, DATABASE_URL, ...others } = Object.fromEntries(exported)
      expect(PGHOST).toBe(`a${host}`)
      expect(DATABASE_URL).toMatch(/^postgresql:[\w./:?=%@[\]~-]+$/)
      expect(others).toEqual({
        PGPORT: '5432',
        PGUSER: 'tsdbadmin',
        PGPASSWORD: password.replaceAll('\0', '').toWellFormed(),
        PGDATABASE: 'tsdb',
        PGSSLMODE: 'require',
      })
    })
  })
})

test('the state contains the journal, and no password', () => {
  checkHostile(0.05, ['name', 'id', 'key'], ({ name, id, key }) => {
    const intent: Intent = {
      operation: 'create-service',
      resource: 'service',
      ids: {},
      match: { [key]: name },
      existing: [id],
      isUniqueName: true,
      production: false,
      posts: 1,
      firstSent: 1,
      lastSent: 1,
    }
    const created = { resource: 'service', ids: { service_id: id }, certain: true } as const
    const { GITHUB_STATE } = files.captureFiles(() => {
      const journal = createJournal(openEdge('create-service', openHost()), login)
      journal.intend(intent)
      captureOutput(() => journal.announce(created, { operation: name, ids: {} }))
    })
    expectPairs(GITHUB_STATE, { intent: JSON.stringify(intent), created: JSON.stringify(created) })
  })
})
