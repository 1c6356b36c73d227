/** Tests the order of writes to a kept folder. */
import { expect, test } from 'vitest'
import { Saver } from '../../../emulator/persistence/saver.ts'

/** A saver whose writes end on command. */
function heldSaver() {
  const writes: { value: number; end: (error?: Error) => void }[] = []
  const state = { value: 0, atOnce: 0, most: 0 }
  const saver = new Saver(async () => {
    const { value } = state
    state.most = Math.max(state.most, ++state.atOnce)
    try {
      await new Promise<void>((resolve, reject) => {
        writes.push({ value, end: error => (error ? reject(error) : resolve()) })
      })
    } finally {
      state.atOnce--
    }
  })
  return { saver, writes, state }
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('a change during a write is in the next one, which all callers meanwhile share', async () => {
  const { saver, writes, state } = heldSaver()
  state.value = 1
  const first = saver.save()
  await turns()
  state.value = 2
  const second = [saver.save(), saver.save()]
  writes[0]?.end()
  await first
  state.value = 3
  const third = saver.save()
  await turns()
  writes[1]?.end()
  await Promise.all(second)
  await turns()
  writes[2]?.end()
  await third
  expect({ values: writes.map(({ value }) => value), most: state.most }).toEqual({
    values: [1, 2, 3],
    most: 1,
  })
})

test('a failed write rejects for its callers, and the next write is attempted', async () => {
  const { saver, writes } = heldSaver()
  const first = saver.save()
  await turns()
  const second = saver.save()
  writes[0]?.end(new Error('disk full'))
  await expect(first).rejects.toThrow('disk full')
  await turns()
  writes[1]?.end()
  await second
})
