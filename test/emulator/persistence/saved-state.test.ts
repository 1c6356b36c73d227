/** Tests that the state of an older emulator stays readable. */
import { expect, test } from 'vitest'
import { parseSavedState, renderSavedState } from '../../../emulator/persistence/saved-state.ts'
import { VirtualStore } from '../support/virtual-store.ts'

test('data tiering stays enabled if an older emulator wrote it as isTiered', () => {
  const before = new VirtualStore()
  const service_id = before.readyService()
  const { state } = before.store
  Object.assign(state.services.get(service_id) ?? expect.fail(), { isTiered: true })
  const saved = parseSavedState(renderSavedState({ state, effects: [], databases: undefined }))
  const after = new VirtualStore({ state: saved.state })
  expect(after.call('get-service', { service_id }).data_tiering).toEqual({ enabled: true })
})
