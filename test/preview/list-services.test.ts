/** Tests the lists of services by name and of forks. */
import { describe, expect, it, test } from 'vitest'
import { listForks, listNamed } from '#preview/base/services'
import { fakeContext } from '../support/fake-context.ts'
import { json } from '../support/fake-seam.ts'
import { repeatAnswer } from '../support/waiting.ts'

const list = (services: unknown) => {
  // The client repeats a request with a malformed answer.
  const { context } = fakeContext(repeatAnswer(5, json(200, services)))
  return listNamed(context, 'p1', name => name.startsWith('ours-'))
}
const ours = { service_id: 's1', name: 'ours-1' }

describe('a list of which only some names count', () => {
  it('reads those, and only the name of others', async () => {
    const others = [
      { name: 'theirs', status: 7 },
      { service_id: 's3', name: 'theirs-ours-1' },
    ]
    expect(await list([...others, ours])).toEqual([ours])
  })

  test.each([
    ['has a name of ours and no id', { name: 'ours-2' }],
    ['has neither id nor name', { status: 'READY' }],
    ['is no record', 7],
    ['is null', null],
  ])('is refused if one %s', async (_, bad) => {
    await expect(list([ours, bad])).rejects.toThrow('missing or differs from the specification')
  })

  test.each([
    ['an object', { services: [] }],
    ['a text', 'none'],
  ])('is refused if it is %s', async (_, answer) => {
    await expect(list(answer)).rejects.toThrow('missing or differs from the specification')
  })
})

describe('the list of forks', () => {
  it('has those of every name that are not DELETED, and reads no other services', async () => {
    const fork = { service_id: 's2', name: 'theirs', status: 'DELETING', forked_from: { service_id: 's1' } }
    const others = [
      { ...ours, forked_from: null },
      { name: 'theirs', status: 7 },
    ]
    const gone = { ...fork, service_id: 's3', status: 'DELETED' }
    const { context } = fakeContext([json(200, [...others, gone, fork])])
    expect(await listForks(context, 'p1')).toEqual([fork])
  })
})
