/** Tests the services that the advice names after a 404. */
import { expect, test } from 'vitest'
import type { ActionError } from '#base/errors'
import { addExistingServices } from '#operations/wait/failure-reports'
import { completeEvent } from '../preview/support/inputs.ts'
import { fakeContext } from '../support/fake-context.ts'
import { json, refusal, type Scripted } from '../support/fake-seam.ts'

/** The advice after a failed read of service `shop1`, followed by the answer to the list. */
async function adviceAfter(failed: Scripted, list: Scripted[], isPublic = false): Promise<string> {
  const { context } = fakeContext([failed, ...list], { event: completeEvent({ isPublic }) })
  const failure: unknown = await context.client
    .call('get-service', { project_id: 'p1', service_id: 'shop1' }, { attempts: 1 })
    .catch(error => error)
  await addExistingServices(failure, context)
  return (failure as ActionError).next
}

const service = (service_id: string, name?: string) => ({ service_id, name, status: 'READY' })
const missing = refusal(404, 'not found')
const list = (...services: object[]) => [json(200, services)]

test('the most similar id comes first', async () => {
  const advice = await adviceAfter(missing, list(service('x9', 'other'), service('shop2', 'shop')))
  expect(advice).toMatch(/\. The project has shop2 \(shop\), x9 \(other\)$/)
  const seven = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'].map(id => service(id, 'other'))
  expect(await adviceAfter(missing, list(...seven))).toMatch(/ has (?:\w+ \(other\), ){5}and 2 more$/)
})

test('the log of a public repository has no names', async () => {
  const advice = await adviceAfter(missing, list(service('x9', 'other'), service('shop2', 'shop')), true)
  expect(advice).toMatch(/\. The project has shop2, x9$/)
})

test('an empty project is named', async () => {
  expect(await adviceAfter(missing, list())).toMatch(/\. The project has no services$/)
})

test.each<[string, Scripted, Scripted[]]>([
  ['the list contains the id', missing, list(service('shop1', 'shop'))],
  ['the list is refused', missing, [refusal(403, 'no')]],
  ['the error is no 404', refusal(403, 'no'), []],
])('nothing is added if %s', async (_, failed, answers) => {
  expect(await adviceAfter(failed, answers)).not.toContain('The project has')
})
