import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkbench, type Workbench } from '../support/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await openWorkbench({ databases: 'invented' })
})
afterAll(() => bench.stop())

it('deletes nothing in a dry run, by any operation', async () => {
  const { store } = bench.emulator
  const { outputs } = await bench.done({ operation: 'create-service', name: 'precious' })
  const { service_id = '' } = outputs
  const mark = bench.emulator.requests.length
  const dry = await bench.done({ operation: 'delete-service', service_id, dry_run: 'true', cleanup: 'never' })
  expect(dry.outputs).toMatchObject({ skipped: 'true', deleted: 'false', changed: 'false', service_id })
  expect(dry.stdout).toContain(`would delete service ${service_id} (precious, READY) and all its data`)
  expect(bench.requested(mark)).toEqual(['get-auth-info', 'get-service'])
  expect(store.call('get-service', { project_id: store.project.id, service_id }).status).toBe(200)

  const listed = await bench.done({ operation: 'list-services' })
  expect(listed.stdout).toMatch(new RegExp(`^${service_id}  precious  READY`, 'm'))
  expect(listed.summary).toContain(`| ${service_id} | precious | READY |`)
})
