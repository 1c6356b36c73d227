import { expect, it, test } from 'vitest'
import {
  type EarlierRun,
  type QuarantineReport,
  renderDetails,
  renderQuarantine,
} from '../../../src/contents/quarantine/report.ts'

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

it('says in one line what was ended and what was not', () => {
  expect(renderQuarantine(nothing)).toBe('quarantined: nothing')
  const undone = [{ item, what: 'login app', reason: 'permission denied', next: 'ask the owner' }]
  expect(renderQuarantine({ ...nothing, undone })).toBe('quarantined: nothing; not done: 1')
  const job = { ...item, kind: 'job', database: 'tsdb' } as const
  expect(renderQuarantine({ ...nothing, quarantined: [item, job, job] })).toBe('quarantined: 2 jobs, 1 login')
  expect(
    renderDetails({ ...nothing, undone, quarantined: [job], kept: [item], remarks: ['A remark.'] }),
  ).toEqual([
    'not quarantined: login app: permission denied — ask the owner',
    'A remark.',
    'quarantined: job app in tsdb',
    'kept active: login app',
  ])
})

test.each<[Partial<EarlierRun>, string]>([
  [{ times: 1 }, 'mail in tsdb ran once, 2.1 s before the quarantine'],
  [{ times: 3 }, 'mail in tsdb ran 3 times, last 2.1 s before the quarantine'],
  [{ times: null }, 'mail in tsdb ran last 2.1 s before the quarantine'],
])('says of a job that ran before: %j', (run, line) => {
  const ran = [{ job: 'mail', database: 'tsdb', before: 2100, times: null, ...run }]
  expect(renderDetails({ ...nothing, ran })).toEqual([line])
})
