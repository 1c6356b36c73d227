/** Tests the text of a quarantine's report. */
import { expect, it, test } from 'vitest'
import {
  type EarlierRun,
  type QuarantineReport,
  renderDetails,
  renderProblems,
  renderQuarantine,
} from '#contents/quarantine/report'

const nothing: QuarantineReport = {
  at: 0,
  quarantined: [],
  kept: [],
  undone: [],
  ran: [],
  callers: [],
  remarks: [],
}

const item = { id: 'login 1', kind: 'login', name: 'app', database: '' } as const

it('counts disabled objects and failures in one line', () => {
  expect(renderQuarantine(nothing)).toBe('nothing to disable')
  const undone = [{ item, what: 'login app', reason: 'permission denied', next: 'ask the owner' }]
  expect(renderQuarantine({ ...nothing, undone })).toBe('nothing; not done: 1')
  const job = { ...item, kind: 'job', database: 'tsdb' } as const
  expect(renderQuarantine({ ...nothing, quarantined: [item, job, job] })).toBe('2 jobs, 1 login')
})

it('lists the failures and the other contents in several lines', () => {
  const undone = [{ item, what: 'login app', reason: 'permission denied', next: 'ask the owner' }]
  expect(renderProblems({ ...nothing, undone, remarks: ['A remark.'] })).toEqual([
    'not quarantined: login app: permission denied — ask the owner',
    'A remark.',
  ])
  const job = { ...item, kind: 'job', name: 'mail', database: 'tsdb' } as const
  const callers = ['extension dblink', 'function ring()'].map(name => ({ database: 'tsdb', name }))
  const quarantined = [job, { ...job, name: 'tick' }, { ...job, database: 'other' }]
  expect(renderDetails({ ...nothing, quarantined, kept: [item], callers })).toEqual([
    ...['quarantined jobs in tsdb: mail, tick', 'quarantined job in other: mail'],
    ...['kept login: app', 'can call out from tsdb: extension dblink, function ring()'],
  ])
})

it('names the first of many objects, and counts the others', () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ ...item, name: `app${index}` }))
  const [line, ...others] = renderDetails({ ...nothing, quarantined: many })
  expect(line).toMatch(/^quarantined logins: app0, app1, .*, app19, and 280 more$/)
  expect(others).toEqual([])
  const undone = many.map(({ name }) => ({ what: `login ${name}`, reason: 'no', next: 'ask' }))
  expect(renderProblems({ ...nothing, undone })).toHaveLength(21)
  // Users of a preview may write any names into its note.
  const spread = many.map(one => ({ ...one, database: one.name }))
  expect(renderDetails({ ...nothing, quarantined: spread, kept: spread, callers: spread })).toHaveLength(63)
  expect(renderProblems({ ...nothing, remarks: many.map(({ name }) => name) })).toHaveLength(21)
})

test.each<[Partial<EarlierRun>, string]>([
  [{ times: 1 }, 'mail in tsdb ran once, 2.1 s before the quarantine'],
  [{ times: 3 }, 'mail in tsdb ran 3 times, last 2.1 s before the quarantine'],
  [{ times: null }, 'mail in tsdb ran last 2.1 s before the quarantine'],
])('describes a job that ran before the quarantine: %j', (run, line) => {
  const ran = [{ job: 'mail', database: 'tsdb', before: 2100, times: null, ...run }]
  expect(renderProblems({ ...nothing, ran })).toEqual([line])
})
