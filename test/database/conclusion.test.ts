/** Tests the report on all migrations of a preview, and the approval of losses. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ActionError } from '#base/errors'
import type { Approval, ShownLoss } from '#contents/rehearsal/result/losses'
import type { MigrationsReport } from '#contents/rehearsal/result/report'
import type { Rehearsal } from '#contents/rehearsal/result/stored'
import { type Conclusion, concludeDiff, concludeRehearsal } from '#database/conclusion'
import { readFacts } from '#database/notes'
import { withSession } from '#postgres/session'
import type { GitHub, ShownMigrations } from '#preview/base/github'
import { blocked, dropped, harmful, rehearsal } from '../contents/rehearsal/rehearsals.ts'
import { createDatabase } from '../contents/schema/support/databases.ts'
import { completeEvent } from '../preview/support/inputs.ts'
import { defaultSettings } from '../simulator/default-settings.ts'
import { fakeContext } from '../support/fake-context.ts'
import { connectionOf, noteOfPreview, type Outputs, runSql } from '../support/fork.ts'
import { shareServer } from '../support/shared-server.ts'

let service: Outputs
beforeAll(async () => {
  service = await createDatabase(await shareServer())
})
beforeEach(async () => {
  await runSql(
    service,
    `select lo_unlink(oid) from pg_largeobject_metadata; ${noteOfPreview('of-a-preview')}`,
  )
})

const signal = new AbortController().signal

const other = 'b'.repeat(64)

interface Stage {
  told(use: (context: ReturnType<typeof fakeContext>['context']) => Promise<Conclusion>): Promise<Conclusion>
  written: { pullRequest: number; preview: string; report: ShownMigrations }[]
  asked: string[]
  warnings: string[]
}

const event = completeEvent({
  ...{ name: 'pull_request', action: 'opened', repositoryId: '1296269' },
  pullRequest: {
    ...{ number: 7, state: 'open', fromFork: false, labels: [], draft: false },
    commit: 'c'.repeat(40),
  },
})

function stage(
  inputs: { comment?: boolean; approveDestructive?: string; onViolation?: 'warn' | 'fail' } = {},
  approve: () => Promise<Approval> = async () => ({ isApproved: false, message: 'the label ok is not set' }),
  shown?: ShownLoss,
): Stage {
  const written: Stage['written'] = []
  const asked: string[] = []
  const { comment = true, approveDestructive, onViolation = 'warn' } = inputs
  const { context, warnings } = fakeContext([], {
    event,
    settings: {
      preview: { ...defaultSettings.preview, comment },
      rehearsal: { ...defaultSettings.rehearsal, approveDestructive, onViolation },
    },
    withSession: (connection, options, use) => withSession(connection, { ...options, signal }, use),
  })
  const github: GitHub = {
    ...context.github,
    async writeMigrations(pullRequest, preview, report) {
      written.push({ pullRequest, preview, report })
      return 'https://github.example/7'
    },
    async readShownLoss() {
      return shown ?? written.at(-1)?.report.loss
    },
    async readApproval({ hash }) {
      asked.push(hash)
      return await approve()
    },
  }
  return { told: use => use({ ...context, github }), written, asked, warnings }
}

type Context = ReturnType<typeof fakeContext>['context']

/** Stores and reports a rehearsal as the operation does. */
async function report(
  context: Context,
  found: Rehearsal,
  diff?: MigrationsReport['diff'],
): Promise<Conclusion> {
  return await concludeRehearsal(context, target(), found, { ...(await readFacts(context, target())), diff })
}

async function reportDiff(context: Context): Promise<Conclusion> {
  return await concludeDiff(context, { ...(await readFacts(context, target())), diff: undefined })
}

const target = () => ({ connection: connectionOf(service), ids: {} })
const losing = () => rehearsal({ destructive: true, effects: [dropped] })

describe('a rehearsal', () => {
  it('is reported in the comment of the preview, by its name', async () => {
    const { told, written } = stage()
    const diff = { added: 1, removed: 0, changed: 0, text: '+ table public.totals' }
    const { sum, commentUrl } = await told(context => report(context, harmful(), diff))
    expect({ verdict: sum?.verdict, commentUrl }).toEqual({
      verdict: 'failed',
      commentUrl: 'https://github.example/7',
    })
    expect(written).toEqual([
      {
        ...{ pullRequest: 7, preview: expect.stringMatching(/^preview-pr-7-[0-9a-f]{8}$/) },
        report: { blocks: expect.any(Array), loss: { hash: expect.any(String), serviceId: 'of-a-preview' } },
      },
    ])
    const shown = JSON.stringify(written[0]?.report.blocks)
    for (const text of [diff.text, 'commit ccccccc', 'blocked for 42 s (limit 2 s)'])
      expect(shown).toContain(text)
  })

  it('is only stored with comment: false, and a later job reports it', async () => {
    const measuring = stage({ comment: false })
    await measuring.told(context => report(context, harmful()))
    expect(measuring.written).toEqual([])
    const telling = stage()
    const { sum } = await telling.told(context => reportDiff(context))
    expect(sum?.verdict).toBe('failed')
    expect(JSON.stringify(telling.written[0]?.report.blocks)).toContain('blocked for 42 s (limit 2 s)')
  })

  it('fails for an earlier push, so that an empty push turns no check green', async () => {
    const { told } = stage({ onViolation: 'fail' })
    await told(context => report(context, harmful()))
    const later = await told(context =>
      report(context, rehearsal({ migrationHash: other, destructive: true })),
    )
    expect(later).toMatchObject({
      sum: {
        verdict: 'failed',
        violations: [{ message: blocked.message }, { ignored: expect.any(String) }],
        destructive: true,
      },
      problem: { message: `an earlier run on this preview (commit ccccccc): ${blocked.message}` },
    })
    expect(later.problem?.next).toMatch(/; then run reset-preview$/)
  })

  it('is reported alone and not stored if the database is not a preview', async () => {
    await runSql(service, 'select lo_unlink(oid) from pg_largeobject_metadata')
    const { told, written, warnings } = stage({ onViolation: 'fail' })
    await told(context => report(context, harmful()))
    const { sum, problem } = await told(context => report(context, rehearsal({ migrationHash: other })))
    expect({ sum, problem, warnings }).toEqual({
      ...{ sum: { verdict: 'passed', violations: [], destructive: false }, problem: undefined, warnings: [] },
    })
    expect(JSON.stringify(written.at(-1)?.report.blocks)).not.toContain('Earlier 1')
    expect(await runSql(service, 'select oid from pg_largeobject_metadata')).toEqual([])
    expect(await stage().told(context => reportDiff(context))).toEqual({})
    expect(written).toHaveLength(2)
  })

  it('counts if it cannot be stored', async () => {
    const { told, written, warnings } = stage()
    const nowhere = { connection: { ...connectionOf(service), database: 'nowhere' }, ids: {} }
    const { sum } = await told(async context => {
      const facts = await readFacts(context, target())
      return await concludeRehearsal(context, nowhere, harmful(), { ...facts, diff: undefined })
    })
    expect(sum?.verdict).toBe('failed')
    expect(written).toEqual([])
    expect(warnings).toEqual([
      expect.stringContaining('is not updated'),
      expect.stringContaining('not measured'),
    ])
  })
})

describe('loss of data', () => {
  it('needs no approval if none is required', async () => {
    const { told, asked, written } = stage()
    const { sum } = await told(context => report(context, losing()))
    expect({ verdict: sum?.verdict, asked }).toEqual({ verdict: 'passed', asked: [] })
    // A later step that requires an approval accepts a label set since then.
    const later = stage({ approveDestructive: 'ok' })
    await later.told(context => reportDiff(context))
    expect(later.asked).toEqual([written[0]?.report.loss?.hash])
  })

  it('keeps the hash of another loss in the comment if no approval is required', async () => {
    const { told, written } = stage({}, undefined, { hash: 'e'.repeat(64), serviceId: 'of-a-preview' })
    await told(context => report(context, losing()))
    expect(written).toMatchObject([{ report: { loss: undefined } }])
  })

  it('fails until it is approved, and the comment shows its hash', async () => {
    const refused = stage({ approveDestructive: 'ok' })
    expect((await refused.told(context => report(context, losing()))).sum?.verdict).toBe('failed')
    expect(refused.written[0]?.report.loss?.hash).toBe(refused.asked[0])
    const approved = stage({ approveDestructive: 'ok' }, async () => ({
      isApproved: true,
      message: 'octocat',
    }))
    expect((await approved.told(context => reportDiff(context))).sum?.verdict).toBe('passed')
    expect(approved.asked).toEqual(refused.asked)
  })

  it('has another hash after a further loss', async () => {
    const { told, asked } = stage({ approveDestructive: 'ok' })
    await told(context => report(context, losing()))
    await told(context => report(context, { ...losing(), migrationHash: other }))
    expect(new Set(asked).size).toBe(2)
  })

  it('is not approved if GitHub does not answer', async () => {
    const { told } = stage({ approveDestructive: 'ok' }, () => Promise.reject(new Error('ECONNRESET')))
    const { sum, ownLoss } = await told(context => report(context, losing()))
    expect(sum?.verdict).toBe('failed')
    expect(ownLoss?.message).toMatch(/, and it is unknown whether the label ok approves it: ECONNRESET$/)
  })

  it('needs the label again after a failure of GitHub, if the comment showed the loss only later', async () => {
    const refusal = new ActionError('GitHub answers 403', 'set `permissions`')
    const { told } = stage({ approveDestructive: 'ok' }, () => Promise.reject(refusal))
    expect((await told(context => report(context, losing()))).ownLoss?.advice).toBe(
      'set `permissions`; set the label after the comment shows this loss',
    )
  })
})

describe('a loss that the comment reports', () => {
  const shown = { hash: 'e'.repeat(64), serviceId: 'of-a-preview' }
  const strict = { approveDestructive: 'ok', onViolation: 'fail' } as const

  it('counts in a database without a note of it and without other findings', async () => {
    const { told, written } = stage(strict, undefined, shown)
    const { sum, problem } = await told(reportDiff)
    expect({ verdict: sum?.verdict, written }).toEqual({ verdict: 'not measured', written: [] })
    expect(problem?.message).toMatch(/^not measured: the comment shows a loss of data/)
  })

  it('does not count in another database, such as the one after reset-preview', async () => {
    const { told } = stage(strict, undefined, { ...shown, serviceId: 'before' })
    const { sum, problem } = await told(context => report(context, rehearsal()))
    expect({ verdict: sum?.verdict, problem }).toEqual({ verdict: 'passed', problem: undefined })
  })

  it.each([
    ['runs again, and finds nothing left to lose', {}],
    ['had an error, and is corrected', { problem: 'syntax error', verdict: 'failed' as const }],
  ])('counts if its migration %s', async (_, more) => {
    const { told, asked } = stage(strict)
    await told(context => report(context, { ...losing(), ...more }))
    const { problem } = await told(context => report(context, rehearsal()))
    expect(problem?.message).toMatch(/^data is lost \(column orders\.note dropped/)
    expect(asked[1]).toBe(asked[0])
  })
})

describe('a required verdict', () => {
  it('is missing in a database whose notes were deleted', async () => {
    await runSql(service, 'select lo_unlink(oid) from pg_largeobject_metadata')
    const { sum, problem } = await stage({ onViolation: 'fail' }).told(reportDiff)
    expect(sum?.verdict).toBe('not measured')
    expect(problem?.message).toMatch(/: the database holds no valid note of a preview$/)
  })

  it('fails for a migration that an earlier push left broken', async () => {
    const { told } = stage({ onViolation: 'fail' })
    await told(context => report(context, rehearsal({ verdict: 'failed', problem: 'syntax error' })))
    const { problem } = await told(reportDiff)
    expect(problem?.message).toMatch(/^an earlier run on this preview \(commit ccccccc\): syntax error$/)
  })
})
