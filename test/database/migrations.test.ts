import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { keepRun, readRuns } from '../../src/database/kept-runs.ts'
import { type Told, tellDiff, tellRehearsal } from '../../src/database/migrations.ts'
import { type Session, withSession } from '../../src/postgres/session.ts'
import type { Approval, GitHub, ShownMigrations } from '../../src/preview/base/github.ts'
import { makeFork, makeService, type Outputs, run as runSql } from '../contents/quarantine/support/fork.ts'
import { dropped, harmful, rehearsal, run } from '../contents/rehearsal/rehearsals.ts'
import { completeEvent } from '../preview/support/inputs.ts'
import { defaultSettings } from '../simulator/default-settings.ts'
import { fakeContext } from '../support/fake-context.ts'
import { openWorkbench, type Workbench } from '../support/workbench.ts'

let bench: Workbench
let service: Outputs
beforeAll(async () => {
  bench = await openWorkbench()
  service = await makeService(bench)
})
afterAll(() => bench.stop())
beforeEach(async () => {
  await runSql(service, 'select lo_unlink(oid) from pg_largeobject_metadata')
})

const signal = new AbortController().signal

function connectionOf({ host = '', port, user = '', password = '', database = '' }: Outputs) {
  return { host, port: Number(port), user, password, database, sslmode: 'require' }
}

async function within<Result>(outputs: Outputs, use: (session: Session) => Promise<Result>): Promise<Result> {
  const results: Result[] = []
  await withSession(connectionOf(outputs), { timeout: 30_000, signal, mostBytes: 2 ** 20 }, async session => {
    results.push(await use(session))
  })
  return results[0] as Result
}

/** What the preview's own run has noted, as far as others read it. */
const note = (outputs: Outputs, serviceId: string) =>
  runSql(
    outputs,
    `select lo_unlink(objoid) from pg_description where description = 'managed-database-action: preview';
     do $$ declare id oid := lo_from_bytea(0, convert_to('{"service_id": "${serviceId}"}', 'utf8'));
     begin execute format('comment on large object %s is %L', id, 'managed-database-action: preview'); end $$`,
  )

/** Somebody who knows the password keeps a text in place of ours. */
const forge = (outputs: Outputs, text: string) =>
  runSql(
    outputs,
    `do $$ declare id oid := lo_from_bytea(0, convert_to('${text.replaceAll("'", "''")}', 'utf8'));
     begin execute format('comment on large object %s is %L', id, 'managed-database-action: migrations'); end $$`,
  )

const other = 'b'.repeat(64)

describe('what earlier runs measured', () => {
  it('is kept in the database, the newest run with its statements', async () => {
    const first = run(harmful(), { commit: 'f'.repeat(40) })
    await within(service, session => keepRun(session, first))
    await within(service, session => keepRun(session, run({ migrationHash: other })))
    const runs = await within(service, readRuns)
    expect(runs).toEqual([
      expect.objectContaining({ commit: 'f'.repeat(40), omitted: 4 }),
      run({ migrationHash: other }),
    ])
    expect(runs[0]?.rehearsal.effects).toEqual(first.rehearsal.effects)
  })

  it('is that of two runs, also where they end in the same moment', async () => {
    const keep = (hash: string) => within(service, session => keepRun(session, run({ migrationHash: hash })))
    await Promise.all([keep('a'.repeat(64)), keep(other)])
    const hashes = (await within(service, readRuns)).map(one => one.rehearsal.migrationHash)
    expect(hashes.sort()).toEqual(['a'.repeat(64), other])
  })

  it('has a limit, however much was run', async () => {
    const long = run({ ...harmful(), problem: 'x'.repeat(10_000), migrationHash: other })
    for (let index = 0; index < 35; index++) await within(service, session => keepRun(session, long))
    const runs = await within(service, readRuns)
    expect(runs).toHaveLength(30)
    expect(JSON.stringify(runs).length).toBeLessThan(100_000)
  })

  it('is nothing in a fork of the database that is a preview of its own', async () => {
    await note(service, 'parent')
    await within(service, session => keepRun(session, run()))
    const fork = await makeFork(bench, service)
    expect(await within(fork, readRuns)).toHaveLength(1)
    await note(fork, 'fork')
    expect(await within(fork, readRuns)).toEqual([])
    expect(await within(service, readRuns)).toHaveLength(1)
  })

  const kept = (change: object) =>
    JSON.stringify({ service_id: null, runs: [{ ...run(), rehearsal: { ...rehearsal(), ...change } }] })

  test.each([
    ['no JSON', '{'],
    ['another form', '[]'],
    ['a verdict that there is not', kept({ verdict: 'approved' })],
    ['a hash that is none', kept({ migrationHash: `${'a'.repeat(60)} -->` })],
    ['a text that is too long', kept({ problem: 'x'.repeat(301) })],
    [
      'too many statements',
      kept({ statements: Array.from({ length: 41 }, () => rehearsal().statements[0]) }),
    ],
    ['a count that is text', kept({ duration: '<b>' })],
    ['a negative size', kept({ wal: -1 })],
    ['more than anybody of us writes', `${' '.repeat(200_001)}${kept({})}`],
  ])('is nothing where somebody has written %s', async (_, text) => {
    await forge(service, text)
    expect(await within(service, readRuns)).toEqual([])
  })

  it('is read where it is as we write it', async () => {
    await forge(service, kept({}))
    expect(await within(service, readRuns)).toEqual([run()])
  })
})

interface Stage {
  told(use: (context: ReturnType<typeof fakeContext>['context']) => Promise<Told>): Promise<Told>
  written: { pullRequest: number; preview: string; report: ShownMigrations }[]
  asked: string[]
  warnings: string[]
}

const event = completeEvent({
  ...{ name: 'pull_request', action: 'opened', repositoryId: '1296269' },
  pullRequest: {
    number: 7,
    state: 'open',
    fromFork: false,
    labels: [],
    draft: false,
    commit: 'c'.repeat(40),
  },
})

function stage(
  inputs: { comment?: boolean; approveDestructive?: string } = {},
  approve: () => Promise<Approval> = async () => ({ isApproved: false, message: 'the label ok is not set' }),
): Stage {
  const written: Stage['written'] = []
  const asked: string[] = []
  const { comment = true, approveDestructive } = inputs
  const { context, warnings } = fakeContext([], {
    event,
    settings: {
      preview: { ...defaultSettings.preview, comment },
      rehearsal: { ...defaultSettings.rehearsal, approveDestructive },
    },
    withSession: (connection, options, use) => withSession(connection, { ...options, signal }, use),
  })
  const github: GitHub = {
    ...context.github,
    async writeMigrations(pullRequest, preview, report) {
      written.push({ pullRequest, preview, report })
      return 'https://github.example/7'
    },
    async readApproval({ hash }) {
      asked.push(hash)
      return await approve()
    },
  }
  return { told: use => use({ ...context, github }), written, asked, warnings }
}

const target = () => ({ connection: connectionOf(service), ids: {} })
const losing = () => rehearsal({ destructive: true, effects: [dropped] })

describe('a rehearsal', () => {
  it('is told in the comment of the preview, by its name', async () => {
    const { told, written } = stage()
    const diff = { added: 1, removed: 0, changed: 0, text: '+ table public.totals' }
    const { verdict, commentUrl } = await told(context => tellRehearsal(context, target(), harmful(), diff))
    expect({ verdict, commentUrl }).toEqual({ verdict: 'failed', commentUrl: 'https://github.example/7' })
    expect(written).toEqual([
      {
        ...{ pullRequest: 7, preview: expect.stringMatching(/^preview-pr-7-[0-9a-f]{8}$/) },
        report: expect.objectContaining({
          diff,
          runs: [expect.objectContaining({ commit: 'c'.repeat(40) })],
        }),
      },
    ])
  })

  it('is only kept, with comment: false, and a later job tells of it', async () => {
    const measuring = stage({ comment: false })
    await measuring.told(context => tellRehearsal(context, target(), harmful()))
    expect(measuring.written).toEqual([])
    const telling = stage()
    const { verdict } = await telling.told(context => tellDiff(context, target(), undefined))
    expect(verdict).toBe('failed')
    expect(telling.written[0]?.report.runs[0]?.rehearsal).toEqual(harmful())
  })

  it('that has nothing to do leaves the verdict of what was run before', async () => {
    const { told, written } = stage()
    await told(context => tellRehearsal(context, target(), harmful()))
    const idle = rehearsal({ statements: [], migrationHash: other })
    const { verdict } = await told(context => tellRehearsal(context, target(), idle))
    expect(verdict).toBe('failed')
    expect(written.at(-1)?.report.runs).toHaveLength(1)
  })

  it('counts where it cannot be kept', async () => {
    const { told, written, warnings } = stage()
    const nowhere = { connection: { ...connectionOf(service), database: 'nowhere' }, ids: {} }
    const { verdict } = await told(context => tellRehearsal(context, nowhere, harmful()))
    expect(verdict).toBe('failed')
    expect(written[0]?.report.runs).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining('not kept for later runs')])
  })
})

describe('loss of data', () => {
  it('needs no approval where none is asked for', async () => {
    const { told, asked, written } = stage()
    const { verdict } = await told(context => tellRehearsal(context, target(), losing()))
    expect({ verdict, asked, hash: written[0]?.report.lossHash }).toEqual({ verdict: 'passed', asked: [] })
  })

  it('fails until it is approved, and the comment shows the hash of what is lost', async () => {
    const refused = stage({ approveDestructive: 'ok' })
    expect((await refused.told(context => tellRehearsal(context, target(), losing()))).verdict).toBe('failed')
    expect(refused.written[0]?.report.lossHash).toBe(refused.asked[0])
    const approved = stage({ approveDestructive: 'ok' }, async () => ({
      isApproved: true,
      message: 'octocat',
    }))
    expect((await approved.told(context => tellDiff(context, target(), undefined))).verdict).toBe('passed')
    expect(approved.asked).toEqual(refused.asked)
  })

  it('has another hash where more is lost', async () => {
    const { told, asked } = stage({ approveDestructive: 'ok' })
    await told(context => tellRehearsal(context, target(), losing()))
    await told(context => tellRehearsal(context, target(), { ...losing(), migrationHash: other }))
    expect(new Set(asked).size).toBe(2)
  })

  it('is not approved where GitHub does not answer', async () => {
    const { told } = stage({ approveDestructive: 'ok' }, () => Promise.reject(new Error('ECONNRESET')))
    const { verdict, approval } = await told(context => tellRehearsal(context, target(), losing()))
    expect({ verdict, approval }).toEqual({
      verdict: 'failed',
      approval: { isApproved: false, message: 'whether the label ok approves it is not known: ECONNRESET' },
    })
  })

  it('is not asked for where nothing is lost', async () => {
    const { told, asked } = stage({ approveDestructive: 'ok' })
    const { verdict } = await told(context => tellRehearsal(context, target(), rehearsal()))
    expect({ verdict, asked }).toEqual({ verdict: 'passed', asked: [] })
  })
})
