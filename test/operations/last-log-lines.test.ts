/** Tests the log lines of a service after a failed wait. */
import { expect, test } from 'vitest'
import { addLogLines } from '#operations/wait/failure-reports'
import { WaitError } from '#operations/wait/wait-error'
import { fakeContext } from '../support/fake-context.ts'
import { html, json, type Scripted } from '../support/fake-seam.ts'

const ids = { project_id: 'p1', service_id: 's1' }

/** The log lines that a failed wait reports if `answer` is the log of the service. */
async function linesAfter(answer: Scripted): Promise<string[]> {
  const failure = new WaitError('failed', 'look', { resource: 'service', ids, history: [] })
  await addLogLines(failure, fakeContext([answer]).context)
  return failure.logLines
}

const entry = (second: number, message: string) => ({
  timestamp: `2026-01-31T12:00:0${second}Z`,
  severity: 'LOG',
  message,
})
const entries = [entry(2, 'stopped'), entry(1, 'started')]
const lines = ['2026-01-31T12:00:01Z LOG: started', '2026-01-31T12:00:02Z LOG: stopped']

test.each<[string, object, string[]]>([
  ['its entries', { entries }, lines],
  ['its entries, not the deprecated lines beside them', { logs: ['stopped', 'started'], entries }, lines],
  ['the lines of a server without entries', { logs: ['stopped', 'started'] }, ['started', 'stopped']],
  ['the lines beside no entries', { logs: ['started'], entries: [] }, ['started']],
  ['entries of which parts are missing', { entries: [{ message: 'started' }, {}] }, ['', 'started']],
])('the last lines of the log, oldest first, are %s', async (_, body, lines) => {
  expect(await linesAfter(json(200, body))).toEqual(lines)
})

test('an unreadable log has no last lines', async () => {
  expect(await linesAfter(html(200))).toEqual([])
})
