/** Tests the services that a failure names after a 404. */
import { expect, test } from 'vitest'
import type { ActionError } from '#base/errors'
import { addExistingServices } from '#operations/wait/failure-reports'
import { completeEvent } from '../preview/support/inputs.ts'
import { fakeContext } from '../support/fake-context.ts'
import { json, refusal, type Scripted } from '../support/fake-seam.ts'

const shop1 = { project_id: 'p1', service_id: 'shop1' }

/** The failed read of service `shop1`, after the answer to the list. */
async function failureAfter(failed: Scripted, list: Scripted[], isPublic = false, given = shop1) {
  const { context } = fakeContext([failed, ...list], { event: completeEvent({ isPublic }) })
  const failure: unknown = await context.client
    .call('get-service', shop1, { attempts: 1 })
    .catch(error => error)
  await addExistingServices(failure, context, given)
  return failure as ActionError
}

const adviceAfter = async (...given: Parameters<typeof failureAfter>) => (await failureAfter(...given)).next

const service = (service_id: string, name?: string) => ({ service_id, name, status: 'READY' })
const missing = refusal(404, 'not found')
const list = (...services: object[]) => [json(200, services)]

test('the message names the missing service and its project', async () => {
  const { message } = await failureAfter(missing, list(service('x9', 'other')))
  expect(message).toMatch(/: not found; there is no service shop1 in project p1$/)
})

test('the most similar id comes first', async () => {
  const advice = await adviceAfter(missing, list(service('x9', 'other'), service('shop2', 'shop')))
  expect(advice).toMatch(/^set service_id to one of: shop2 \(shop\), x9 \(other\)$/)
  const seven = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'].map(id => service(id, 'other'))
  expect(await adviceAfter(missing, list(...seven))).toMatch(/ of: (?:\w+ \(other\), ){5}and 2 more$/)
})

test('the log of a public repository has no names', async () => {
  const advice = await adviceAfter(missing, list(service('x9', 'other'), service('shop2', 'shop')), true)
  expect(advice).toMatch(/^set service_id to one of: shop2, x9$/)
})

test('an empty project is named', async () => {
  expect(await adviceAfter(missing, list())).toBe('use the keys of another project: this one has no services')
})

test.each<[string, Scripted, Scripted[]]>([
  ['the list contains the id', missing, list(service('shop1', 'shop'))],
  ['the list is refused', missing, [refusal(403, 'no')]],
  ['the error is no 404', refusal(403, 'no'), []],
])('nothing is added if %s', async (_, failed, answers) => {
  expect(await adviceAfter(failed, answers)).not.toContain('set service_id')
})

test('nothing is added about a service that the step found by itself', async () => {
  const given = { ...shop1, service_id: 'parent' }
  expect(await adviceAfter(missing, list(service('x9')), false, given)).not.toContain('set service_id')
})
