/** Tests the cleanup of created records. */
import { describe, expect, it } from 'vitest'
import { type ActionError, CancelledError } from '#base/errors'
import type { CreatedRecord, Intent } from '#operations/base/journaled'
import { cleanUp, isCleanupDue } from '#operations/cleanup/cleanup'
import { type FakeParts, fakeContext } from '../support/fake-context.ts'
import { html, json, refusal, type Scripted } from '../support/fake-seam.ts'
import { repeatAnswer } from '../support/waiting.ts'

/** When the world of a fake seam begins. */
const start = Date.parse('2026-01-31T12:00:00Z')
const service = (id: string, more = {}) => ({
  service_id: id,
  name: 'shop',
  status: 'READY',
  created: new Date(start + 1000).toISOString(),
  ...more,
})
/** With a name that another job may use as well. */
const exact: Intent = {
  operation: 'create-service',
  resource: 'service',
  ids: { project_id: 'p1' },
  match: { name: 'shop' },
  existing: [],
  isUniqueName: false,
  production: false,
  posts: 1,
  firstSent: start,
  lastSent: start,
}
const own: Intent = { ...exact, isUniqueName: true }
const network = { id: '7', name: 'shop', cidr: '10.0.0.0/24', region_code: 'us-east-1' }

const created: CreatedRecord = {
  resource: 'service',
  ids: { project_id: 'p1', service_id: 's1' },
  certain: true,
}
const there = json(200, service('s1'))
const gone = [refusal(404), json(200, [])]
const never = repeatAnswer(30, json(200, []))
const both = json(200, [service('s1'), service('s2')])
/** The record stays in status DELETING. */
const stays = repeatAnswer(200, json(200, service('s1', { status: 'DELETING' })))
const minutes = 60_000
const resourceOf = ({ resource }: Intent) => (resource === 'vpc' ? 'VPC' : 'service')

const deletions = (requests: { method: string; url: string }[]) =>
  requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url.split('/').at(-1))

/** The end of a job, with the four minutes that it has. */
function end(script: Scripted[], intent: Intent, record?: CreatedRecord, parts: FakeParts = {}) {
  const fake = fakeContext(script, { deadline: 4 * minutes, ...parts })
  return { ...fake, done: cleanUp(fake.context, { intent, created: record }) }
}

describe('the post step', () => {
  it.each([
    ['failure', ['on-failure', 'always']],
    ['cancelled', ['on-failure', 'always']],
    ['success', ['always']],
    // No sign that the job failed.
    [undefined, ['always']],
    ['', ['always']],
    ['Success', ['always']],
    ['failed', ['always']],
  ])('after a job with status %j and cleanup: %j deletes the record, or keeps it', (status, expected) => {
    const due = (['never', 'on-failure', 'always'] as const).filter(cleanup => isCleanupDue(cleanup, status))
    expect(due).toEqual(expected)
  })
})

describe('a dry run', () => {
  it('deletes nothing in the post step, and sends no request', async () => {
    const { seam, warnings, done } = end([], own, created, { settings: { dryRun: true } })
    await done
    expect(seam.requests).toEqual([])
    expect(warnings).toEqual([
      'cleanup: would delete service s1, service "shop", but this is a dry run, so it still costs money',
    ])
  })
})

describe('the record of an answered request', () => {
  it('is deleted, and no other one', async () => {
    const { seam, done } = end([there, json(202), ...gone], exact, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
    expect(seam.requests).toHaveLength(4)
  })

  it.each([
    ['tagged PROD meanwhile', { metadata: { environment: 'PROD' } }, {}, 'it is tagged PROD'],
    ['tagged STAGING meanwhile', { metadata: { environment: 'STAGING' } }, {}, 'it is tagged STAGING'],
    ['tagged prod', { metadata: { environment: ' prod ' } }, {}, 'it is tagged prod, which'],
    [
      'STAGING instead of PROD',
      { metadata: { environment: 'STAGING' } },
      { production: true },
      'it is tagged STAGING',
    ],
    ['the parent', {}, { parentId: 's1' }, 'it is the parent'],
    ['a fork of another', { forked_from: { service_id: 's9' } }, { parentId: 's8' }, 'it is a fork of s9'],
    ['a fork that was not requested', { forked_from: { service_id: 's9' } }, {}, 'it is a fork of s9'],
    ['there before', {}, { existing: ['s1'] }, 'it existed before this step'],
  ])('is kept if it is %s, whatever the journal contains', async (_, more, plan, reason) => {
    const found = json(200, [service('s1', more)])
    const { seam, done } = end([json(200, service('s1', more)), found], { ...own, ...plan }, created)
    await expect(done).rejects.toThrow(`service s1 is kept: ${reason}`)
    expect(deletions(seam.requests)).toEqual([])
  })

  it('is deleted if it is the PROD service that the step requested', async () => {
    const production = json(200, service('s1', { metadata: { environment: 'PROD' } }))
    const script = [production, json(202), ...gone, json(200, [service('s1')])]
    const { seam, done } = end(script, { ...own, production: true }, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
  })

  it('is deleted alone: a possible record of another job is reported', async () => {
    const { seam, done } = end([there, json(202), both, ...gone], { ...exact, posts: 2 }, created)
    await expect(done).rejects.toThrow('this step may have created service s2 as service "shop"')
    expect(deletions(seam.requests)).toEqual(['s1'])
  })

  it('is deleted with the duplicate of a proxy, even if the first deletion is late', async () => {
    const { seam, context } = fakeContext([there, json(202), ...stays], { deadline: 4 * minutes })
    const send = seam.send.bind(seam)
    const deleted: string[] = []
    seam.send = request => {
      const last = request.url.split('/').at(-1)
      if (last === 's1') return send(request)
      if (request.method === 'DELETE') deleted.push(`${last}`)
      return Promise.resolve(json(200, last === 's2' ? service('s2') : [service('s1'), service('s2')]))
    }
    const ended = cleanUp(context, { intent: own, created })
    await expect(ended).rejects.toThrow('without success for service s1 to be gone')
    expect(deleted).toEqual(['s2'])
  })

  it('is deleted with its duplicate if the name is unique', async () => {
    const twice = { ...own, posts: 2 }
    const { seam, done } = end(
      [there, json(202), both, json(200, service('s2')), json(202), ...gone, ...gone],
      twice,
      created,
    )
    await done
    expect(deletions(seam.requests)).toEqual(['s1', 's2'])
    // Both are waited for until they are gone, each by itself and in the list.
    expect(seam.requests.slice(-4).map(({ url }) => url.split('/').at(-1))).toEqual([
      ...['s1', 'services', 's2', 'services'],
    ])
  })

  it('does not prevent the deletion of its duplicate', async () => {
    const script = [there, refusal(400), there, both, json(200, service('s2')), json(202), ...gone]
    const { seam, done } = end(script, { ...own, posts: 2 }, created)
    await expect(done).rejects.toThrow('service s1 could not be deleted: delete-service')
    expect(deletions(seam.requests)).toEqual(['s1', 's2'])
  })

  it('is deleted even if the wait for another one takes all the time', async () => {
    const script = [there, json(202), both, json(200, service('s2')), json(202), ...stays]
    const { seam, done } = end(script, { ...own, posts: 2 }, created)
    await expect(done).rejects.toThrow('without success for service s1 to be gone')
    expect(deletions(seam.requests)).toEqual(['s1', 's2'])
  })

  it('is not considered gone while it is too new to be found', async () => {
    const script = [refusal(404), refusal(404), json(202), ...gone]
    const { seam, done } = end(script, exact, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1', 's1'])
  })

  it('is considered gone at once if it is old and not found', async () => {
    const old = { ...exact, lastSent: start - 61_000 }
    const { seam, done } = end([refusal(404), refusal(404), refusal(404), ...gone], old, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
  })

  it('is not deleted again in status DELETED', async () => {
    const deleted = json(200, service('s1', { status: 'DELETED' }))
    const { seam, done } = end([deleted, deleted], exact, created)
    await done
    expect(deletions(seam.requests)).toEqual([])
  })

  it.each([400, 404, 409, 410, 422])(
    'is gone if a %i to the DELETE concerns one in status DELETED',
    async status => {
      const deleted = json(200, service('s1', { status: 'DELETED' }))
      const { seam, done } = end([there, refusal(status), deleted, deleted], exact, created)
      await done
      expect(deletions(seam.requests)).toEqual(['s1'])
    },
  )

  it('is not considered too new if it was just read', async () => {
    const { seam, done } = end([there, refusal(404), refusal(404), ...gone], exact, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
    expect(seam.now()).toBeLessThan(5000)
  })

  it.each([404, 409])('gets another DELETE after a %i while it exists', async status => {
    const busy = [refusal(status), json(200, service('s1'))]
    const leaving = json(200, service('s1', { status: 'DELETING' }))
    const { seam, done } = end([there, ...busy, json(202), leaving, leaving, ...gone], exact, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1', 's1'])
  })

  it('gets another DELETE after a 409 that an outdated read contradicts', async () => {
    // The API refuses to delete a record that it is still creating. The read comes from a replica that does not have
    // the record yet.
    const busy = [refusal(409), refusal(404)]
    const { seam, done } = end([there, ...busy, ...busy, json(202), ...gone], exact, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1', 's1', 's1'])
  })
})

describe('the record of an unanswered request', () => {
  it('is found by its unique name, and deleted', async () => {
    const script = [json(200, []), json(200, [service('s1')]), there, json(202), ...gone, json(200, [])]
    const { seam, done } = end(script, own)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
  })

  it('is deleted with the duplicate of a proxy that is listed late', async () => {
    const script = [json(200, [service('s1')]), there, json(202), ...gone]
    const { seam, done } = end(
      [...script, json(200, [service('s2')]), json(200, service('s2')), json(202), ...gone],
      own,
    )
    const listed: number[] = []
    const send = seam.send.bind(seam)
    seam.send = request => {
      if (request.url.endsWith('/services')) listed.push(seam.now())
      return send(request)
    }
    await done
    expect(deletions(seam.requests)).toEqual(['s1', 's2'])
    // Every record of the request is listed `list_lag` after it.
    expect(listed[2]).toBe(10_000)
  })

  it('is searched for as long as a list may lag, and no longer', async () => {
    const { seam, lines, done } = end(never, own)
    await done
    expect(seam.now()).toBe(100_000)
    expect(lines.at(-1)).toBe('cleanup: found no record that this step created')
  })

  const refused = { ...own, refused: true }

  it('is searched for once if the API refused the request', async () => {
    const { seam, done } = end([json(200, [])], refused)
    await done
    expect(seam.now()).toBe(0)
    expect(seam.requests).toHaveLength(1)
  })

  it('is deleted if the API refused the request but created it', async () => {
    const found = json(200, [service('s1')])
    const { seam, done } = end([found, there, json(202), ...gone, json(200, [])], refused)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
  })

  it.each([
    [404, 1],
    // One refusal of the key may be a hiccup.
    [403, 2],
  ])('is considered missing if the list is refused as well, with %i', async (status, looks) => {
    const { seam, lines, done } = end([refusal(status), refusal(status)], refused)
    await done
    expect(seam.requests).toHaveLength(looks)
    expect(lines.at(-1)).toBe('cleanup: found no record that this step created')
  })

  it('is reported if the list is unreadable after a refused request', async () => {
    const down = repeatAnswer(400, refusal(503))
    await expect(end(down, refused).done).rejects.toThrow('cleanup of service "shop" failed')
  })

  it('is searched for only 35 s if the step has already searched for a minute', async () => {
    const { seam, done } = end(never, { ...own, searched: true })
    await done
    expect(seam.now()).toBe(35_000)
  })

  it.each<[string, Intent, object[], string]>([
    ['a service', exact, [service('s1')], 'service s1'],
    ['one of two services', exact, [service('s1'), service('s2')], 'service s1 or service s2'],
    ['a VPC', { ...exact, operation: 'create-vpc', resource: 'vpc' }, [network], 'VPC 7'],
  ])('is kept and reported if another job may use the name: %s', async (_, intent, found, names) => {
    const { seam, done } = end([json(200, found)], intent)
    await expect(done).rejects.toThrow(
      `may have created ${names} as ${resourceOf(intent)} "shop", but its answer was lost`,
    )
    expect(deletions(seam.requests)).toEqual([])
  })

  it('is kept and reported if the step used it by an exact name', async () => {
    const { seam, done } = end([], exact, { ...created, certain: false })
    await expect(done).rejects.toThrow(
      'may have created service s1 as service "shop", but its answer was lost',
    )
    expect(seam.requests).toEqual([])
  })

  it.each([
    ['was there before', { existing: ['s1'] }, {}],
    ['is tagged PROD', {}, { metadata: { environment: 'PROD' } }],
    ['was created an hour before', {}, { created: new Date(start - 60 * minutes).toISOString() }],
    ['was created an hour after', {}, { created: new Date(start + 60 * minutes).toISOString() }],
  ])('is not a service that %s', async (_, changes, more) => {
    const found = repeatAnswer(30, json(200, [service('s1', more)]))
    const { lines, done } = end(found, { ...exact, ...changes })
    await done
    expect(lines.at(-1)).toBe('cleanup: found no record that this step created')
  })
})

describe('until the deadline', () => {
  it.each<[string, Scripted[]]>([
    ['minutes of 503', repeatAnswer(20, refusal(503))],
    ['one 401', [refusal(401)]],
    ['one page with 404', [html(404)]],
  ])('the database is deleted in spite of %s before the first read', async (_, trouble) => {
    const { seam, done } = end([...trouble, there, json(202), ...gone], exact, created)
    await done
    expect(deletions(seam.requests)).toEqual(['s1'])
  })

  it.each<[string, Scripted[]]>([
    ['minutes of 503', repeatAnswer(20, refusal(503))],
    ['one 403', [refusal(403)]],
    ['one page with 404', [html(404)]],
  ])('the DELETE is repeated after %s', async (_, trouble) => {
    const { seam, done } = end([there, ...trouble, json(202), ...gone], exact, created)
    await done
    expect(deletions(seam.requests)).toHaveLength(trouble.length + 1)
  })

  it('a key is tried again if an answer was lost between two refusals', async () => {
    const trouble = [refusal(401), ...repeatAnswer(4, refusal(503)), refusal(403)]
    const { seam, done } = end([there, ...trouble, json(202), ...gone], exact, created)
    seam.latency = 12_000
    await done
    expect(deletions(seam.requests)).toHaveLength(trouble.length + 1)
  })

  it('the refusal of a key is final after a minute', async () => {
    const refused = repeatAnswer(60, refusal(401))
    const { seam, done } = end(refused, exact, created)
    await expect(done).rejects.toThrow('cleanup: service s1 could not be deleted')
    expect(seam.now()).toBe(60_000)
  })
})

it('a cancelled cleanup names the records that may remain', async () => {
  const { seam, controller, done } = end(never, own)
  seam.at(7000, () => controller.abort(new CancelledError('SIGTERM')))
  const failure = await done.catch(error => error as ActionError)
  expect(failure).toMatchObject({
    message: 'cleanup of service "shop" failed: cancelled by SIGTERM',
    next: 'delete it by hand if it still exists, since it costs money',
    cause: expect.any(CancelledError),
  })
})
