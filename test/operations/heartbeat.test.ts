/** Tests the log lines of long waits. */
import { expect, it } from 'vitest'
import { rehearseMigration } from '#database/rehearse-migration'
import { runSql } from '#database/run-sql'
import { TimelineRecorder } from '#operations/base/timeline'
import { withHeartbeat } from '#operations/wait/heartbeat'
import { logAndPause, reportPauses, waitFor } from '#operations/wait/wait-log'
import { parseConnectionUri } from '#postgres/connection-uri'
import { fakeContext } from '../support/fake-context.ts'
import { json } from '../support/fake-seam.ts'

/** The log of an operation in virtual time; each answer of the API takes `latency` milliseconds. */
async function linesOf(
  run: (context: ReturnType<typeof fakeContext>['context']) => Promise<unknown>,
  latency = 0,
): Promise<string[]> {
  const { context, seam, lines } = fakeContext(Array.from({ length: 50 }, () => json(200, [])))
  seam.latency = latency
  await withHeartbeat({ ...context, timeline: new TimelineRecorder(seam) }, run)
  const before = lines.length
  await seam.sleep(90_000)
  expect(lines, 'no line follows its end').toHaveLength(before)
  return lines
}

it('logs which answer is late until it arrives', async () => {
  const lines = await linesOf(({ client }) => client.call('list-services', { project_id: 'p1' }), 14_000)
  expect(lines).toEqual(Array(3).fill('still waiting for the answer of list-services'))
})

it.each([
  ['still reading the notes of earlier runs', rehearseMigration, { command: 'true' }],
  ['still running 1 statement of sql', runSql, {}],
])('logs the current statement on a database: %s', async (line, run, more) => {
  const parsed = parseConnectionUri('postgresql://app:hush@db.example/shop')
  const databaseUrl = 'value' in parsed ? parsed.value : undefined
  const lines = await linesOf(({ settings, ...context }) => {
    const contents = { ...settings.contents, databaseUrl, sql: 'select 1' }
    const rehearsal = { ...settings.rehearsal, ...more }
    const withSession = async () => {
      await context.seam.sleep(5000)
      throw new Error('gone')
    }
    const given = { ...settings, waitForConnection: false, contents, rehearsal }
    return expect(run({}, { ...context, settings: given, withSession })).rejects.toThrow('gone')
  })
  expect(lines).toContain(line)
})

it('logs the step if no span is known', async () => {
  expect(await linesOf(({ seam }) => seam.sleep(5000))).toEqual(['still running this step'])
})

it('is silent for 30 s during an announced pause, and for 5 s after it', async () => {
  const pause = { what: 'until lists show it', why: 'they lag' }
  const lines = await linesOf(context => logAndPause(context, 40_000, pause))
  expect(lines).toEqual(['waiting 40s until lists show it: they lag', 'still waiting until lists show it'])
  const afterwards = await linesOf(async context => {
    await logAndPause(context, 20_000, pause)
    await context.seam.sleep(4500)
  })
  expect(afterwards).toEqual(['waiting 20s until lists show it: they lag', 'still running this step'])
})

it('names the wait, not the status check that happens to be under way', async () => {
  const lines = await linesOf(
    context =>
      waitFor(context, {
        what: 'for service s1 to be listed',
        interval: 1000,
        until: context.seam.now() + 60_000,
        check: async () => {
          await context.client.call('list-services', { project_id: 'p1' })
          return undefined
        },
      }),
    1500,
  )
  expect(lines).toEqual([
    'waiting up to 59s for service s1 to be listed',
    ...Array(2).fill('still waiting for service s1 to be listed'),
  ])
})

it('announces each pause of a client, and names it after 30 s', async () => {
  const lines = await linesOf(async context => {
    const { onRetry, onHold, onLimit } = reportPauses(context)
    const onFailure = (delay: number) => onRetry(new Error('no answer'), delay)
    for (const report of [onFailure, onHold, onLimit]) {
      report(31_000)
      await context.seam.sleep(31_000)
    }
  })
  expect(lines).toEqual([
    ...['no answer; retrying in 31s', 'still waiting to retry'],
    ...["waiting 31s before the next request: the API's rate limit is reached", 'still waiting to retry'],
    ...['waiting 31s for GitHub: its rate limit is reached', "still waiting for GitHub's rate limit"],
  ])
})

it('counts from the last line of any kind', async () => {
  const lines = await linesOf(async ({ seam, log }) => {
    for (const say of [log.info, log.warning, log.notice]) {
      await seam.sleep(4000)
      say('a line')
    }
    await seam.sleep(4000)
  })
  expect(lines.filter(line => line.startsWith('still'))).toEqual([])
})

it('ends with the operation, even if a request that it abandoned logs a line later', async () => {
  const { context, seam, lines } = fakeContext([])
  await withHeartbeat(context, async ({ log }) => {
    seam.after(1000, () => log.info('a late line'))
  })
  await seam.sleep(90_000)
  expect(lines).toEqual(['a late line'])
})
