/** Tests the guard of masked copies. */
import { describe, expect, it } from 'vitest'
import { Service } from '#api/records'
import { reasonToKeepMasked } from '#preview/masked/copies'

const owner = { projectId: 'project01', repositoryHash: '0a1b2c3d', sourceId: 'source0001' }
const service = (changes: object) =>
  Service.parse({
    service_id: 'copy000001',
    name: 'masking-0a1b2c3d-x1y2z3',
    metadata: { environment: 'DEV' },
    forked_from: { service_id: 'source0001' },
    ...changes,
  })

const noFork = 'it is no fork of source0001'

describe('the guard of masked copies', () => {
  it('lets a copy at its stage be deleted', () => {
    expect(reasonToKeepMasked(service({}), owner, { stage: 'masking' })).toBeUndefined()
  })

  it.each([
    [
      'the source, though it is named like a copy',
      { service_id: 'source0001' },
      'it is the service that is copied',
    ],
    ['a copy at another stage', { name: 'masked-0a1b2c3d-x1y2z3' }, 'its name does not match masking-…'],
    ['a service of another name', { name: 'production' }, 'its name does not match masking-…'],
    ['a copy of another repository', { name: 'masking-0a1b2c3e-x1y2z3' }, 'it belongs to another repository'],
    ['a service with a tag', { metadata: { environment: 'PROD' } }, 'it is tagged PROD'],
    ['a fork of another service', { forked_from: { service_id: 'source0002' } }, noFork],
    ['a service that is no fork', { forked_from: undefined }, noFork],
  ])('keeps %s', (_, changes, reason) => {
    expect(reasonToKeepMasked(service(changes), owner, { stage: 'masking' })).toBe(reason)
  })

  it('lets a copy of this run be deleted before its record names the source', () => {
    const which = { stage: 'masking', isCreatedHere: true } as const
    expect(reasonToKeepMasked(service({ forked_from: undefined }), owner, which)).toBeUndefined()
    const other = service({ forked_from: { service_id: 'source0002' } })
    expect(reasonToKeepMasked(other, owner, which)).toBe(noFork)
  })
})
