/** Tests the guard of preview deletions. */
import { describe, expect, it } from 'vitest'
import { Service } from '#api/records'
import { reasonRenamed, reasonToKeepPreview } from '#preview/base/guard'

const owner = { repositoryHash: '0a1b2c3d', parentId: 'parent0001' }
const ours = {
  service_id: 'fork000001',
  name: 'preview-pr-7-0a1b2c3d-x1y2z3',
  metadata: { environment: 'DEV' },
  forked_from: { service_id: 'parent0001' },
}
const service = (changes: object) => Service.parse({ ...ours, ...changes })

describe('the guard', () => {
  it('lets a preview of this repository be deleted', () => {
    expect(reasonToKeepPreview(service({}), owner)).toBeUndefined()
    expect(
      reasonToKeepPreview(service({ forked_from: undefined }), { ...owner, parentId: undefined }),
    ).toBeUndefined()
  })

  it('keeps the service whose masked copies the previews are forks of, though it is named like one', () => {
    const source = { repositoryHash: owner.repositoryHash, parentId: undefined, maskedFrom: ours.service_id }
    expect(reasonToKeepPreview(service({}), source)).toBe('it is the parent')
  })

  it.each([{ environment: 'dev' }, { environment: ' DEV ' }, { environment: '' }, {}, undefined])(
    'takes the tag in %j for DEV or none',
    metadata => {
      expect(reasonToKeepPreview(service({ metadata }), owner)).toBeUndefined()
    },
  )

  it.each([
    ['the name of another service', { name: 'production' }, 'its name is not that of a preview'],
    [
      'a name without the random part',
      { name: 'preview-pr-7-0a1b2c3d' },
      'its name is not that of a preview',
    ],
    ['no name', { name: undefined }, 'its name is not that of a preview'],
    [
      'the name of another repository',
      { name: 'preview-pr-7-0a1b2c3e-x1y2z3' },
      'it belongs to another repository',
    ],
    ['the parent itself', { service_id: 'parent0001' }, 'it is the parent'],
    ['a tag of production', { metadata: { environment: 'PROD' } }, 'it is tagged PROD'],
    ['a tag of production in other letters', { metadata: { environment: 'prod' } }, 'it is tagged prod'],
    ['a tag of production between blanks', { metadata: { environment: ' PROD ' } }, 'it is tagged PROD'],
    [
      'a tag that the API does not know',
      { metadata: { environment: 'PRODUCTION' } },
      'it is tagged PRODUCTION',
    ],
    ['a tag of staging', { metadata: { environment: 'STAGING' } }, 'it is tagged STAGING'],
    ['a tag that only begins like DEV', { metadata: { environment: 'DEVOPS' } }, 'it is tagged DEVOPS'],
    ['another parent', { forked_from: { service_id: 'parent0002' } }, 'it is no fork of parent0001'],
    ['no parent', { forked_from: undefined }, 'it is no fork of parent0001'],
  ])('keeps a service with %s', (_, changes, reason) => {
    expect(reasonToKeepPreview(service(changes), owner)).toBe(reason)
  })
})

describe('a record that was read again', () => {
  it.each([
    ['the same name', ours.name, undefined],
    ['another random part', 'preview-pr-7-0a1b2c3d-aaaaaa', undefined],
    [
      'another number',
      'preview-pr-8-0a1b2c3d-x1y2z3',
      'it has been renamed to preview-pr-8-0a1b2c3d-x1y2z3 meanwhile',
    ],
    [
      'another prefix',
      'orders-pr-7-0a1b2c3d-x1y2z3',
      'it has been renamed to orders-pr-7-0a1b2c3d-x1y2z3 meanwhile',
    ],
    ['no name', undefined, 'it has been renamed meanwhile'],
  ])('with %s', (_, name, reason) => {
    expect(reasonRenamed(service({}), service({ name }))).toBe(reason)
  })
})
