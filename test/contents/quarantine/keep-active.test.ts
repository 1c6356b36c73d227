/** Tests the syntax of `keep_active`. */
import { describe, expect, it, test } from 'vitest'
import { findUnknownNames, parseKeepActive } from '#contents/quarantine/keep-active'

describe('keep_active', () => {
  test.each([
    ['', [], []],
    ['jobs', ['job'], []],
    ['logins, foreign-servers\nsubscriptions', ['login', 'foreign-server', 'subscription'], []],
    ['job:refresh_daily', [], [{ kind: 'job', name: 'refresh_daily' }]],
    ['job:Refresh Policy [1000]', [], [{ kind: 'job', name: 'Refresh Policy [1000]' }]],
    ['login: app , jobs', ['job'], [{ kind: 'login', name: 'app' }]],
    ['foreign-server:a:b', [], [{ kind: 'foreign-server', name: 'a:b' }]],
  ])('is read from %j', (text, kinds, names) => {
    expect(parseKeepActive(text)).toEqual({ value: { kinds, names } })
  })

  test.each(['job', 'login:', 'all', 'jobs logins', 'users:app'])('is not read from %j', text => {
    expect(parseKeepActive(text)).toEqual({
      expected:
        'a list of jobs, logins, subscriptions, foreign-servers, or names like job:refresh_daily or login:app',
    })
  })

  it('names the invalid one of several entries', () => {
    expect(parseKeepActive('login:app,\nlogin')).toEqual({
      expected: expect.stringMatching(/or login:app \("login" is neither\)$/),
    })
  })

  it('is compared with the objects of the same kind', () => {
    const names = [
      { kind: 'login' as const, name: 'app2' },
      { kind: 'job' as const, name: 'app1' },
    ]
    const all = [
      { kind: 'login' as const, names: ['app1'] },
      { kind: 'subscription' as const, names: ['app2'] },
    ]
    expect(findUnknownNames({ kinds: [], names }, all)).toEqual([
      'keep_active: there is no login app2 (did you mean app1?)',
      'keep_active: there is no job app1',
    ])
  })
})
