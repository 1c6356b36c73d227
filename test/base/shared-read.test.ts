/** Tests reads that several callers share. */
import { describe, expect, it } from 'vitest'
import { shareRead } from '#base/shared-read'

/** A read that ends on command, and the number of reads that began. */
function scene() {
  const began: { end: (seen: string) => void; fail: (reason: Error) => void }[] = []
  const ask = shareRead(() => new Promise<string>((end, fail) => void began.push({ end, fail })))
  return { ask, began, settle: () => new Promise(resolve => setImmediate(resolve)) }
}

describe('a shared read', () => {
  it('is shared by all callers that ask before it starts', async () => {
    const { ask, began, settle } = scene()
    const asked = [ask(), ask()]
    await settle()
    expect(began).toHaveLength(1)
    began[0]?.end('first')
    expect(await Promise.all(asked)).toEqual(['first', 'first'])
  })

  it('is a new one for a caller that asks after its start, and waits for the first one', async () => {
    const { ask, began, settle } = scene()
    const first = ask()
    await settle()
    const late = [ask(), ask()]
    await settle()
    expect(began).toHaveLength(1)
    began[0]?.end('first')
    await settle()
    expect(began).toHaveLength(2)
    began[1]?.end('second')
    expect([await first, ...(await Promise.all(late))]).toEqual(['first', 'second', 'second'])
  })

  it('rejects for all of its callers, and only for them', async () => {
    const { ask, began, settle } = scene()
    const asked = Promise.allSettled([ask(), ask()])
    await settle()
    const next = ask()
    began[0]?.fail(new Error('no answer'))
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await settle()
    began[1]?.end('there')
    expect(await next).toBe('there')
  })
})
