/** A stand-in for the database of a finished preview. */
import type { OpenContents } from '#operations/base/context'

/** The database of a preview in its finished state. `onOpen` may throw. */
export function finishedDatabase(serviceId: string, onOpen: () => void = () => {}): OpenContents {
  const text = JSON.stringify({ service_id: serviceId, ready: true, seeds: [] })
  const refuse = () => Promise.reject(new Error('a finished preview needs no change'))
  return async (_, __, use) => {
    onOpen()
    return await use({
      tryLock: async () => true,
      readNote: async () => ({ text, startedAt: '2026-01-01 00:00:00+00' }),
      ...{
        writeNote: refuse,
        quarantine: refuse,
        seed: refuse,
        storeSchema: refuse,
        mask: refuse,
        readMaskingStamp: refuse,
        checkMaskFile: refuse,
        proposeRules: refuse,
      },
    })
  }
}
