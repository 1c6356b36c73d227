/** Measures how long a second session waits for the locks of a migration. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats a query while `act` runs. Returns the duration of its slowest run, in milliseconds. */
export async function measureWaits<Result>(query: () => Promise<unknown>, act: () => Promise<Result>) {
  let isOver = false
  let longest = 0
  const repeat = async () => {
    while (!isOver) {
      const began = performance.now()
      await query()
      longest = Math.max(longest, performance.now() - began)
      await sleep(20)
    }
  }
  const repeating = repeat()
  const result = await act().finally(() => {
    isOver = true
  })
  await repeating
  return { result, longest }
}
