import { describe, expect, it } from 'vitest'
import { SharedLook } from '#base/shared-look'

/** A look that ends when it is told to, and how many began. */
function scene() {
  const began: { end: (seen: string) => void; fail: (reason: Error) => void }[] = []
  const look = new SharedLook(() => new Promise<string>((end, fail) => void began.push({ end, fail })))
  return { look, began, settle: () => new Promise(resolve => setImmediate(resolve)) }
}

describe('a shared look', () => {
  it('is one for all who ask before it begins', async () => {
    const { look, began, settle } = scene()
    const asked = [look.ask(), look.ask()]
    await settle()
    expect(began).toHaveLength(1)
    began[0]?.end('first')
    expect(await Promise.all(asked)).toEqual(['first', 'first'])
  })

  it('is another one for a caller that asks after it began, and then begins once the first is over', async () => {
    const { look, began, settle } = scene()
    const first = look.ask()
    await settle()
    const late = [look.ask(), look.ask()]
    await settle()
    expect(began).toHaveLength(1)
    began[0]?.end('first')
    await settle()
    expect(began).toHaveLength(2)
    began[1]?.end('second')
    expect([await first, ...(await Promise.all(late))]).toEqual(['first', 'second', 'second'])
  })

  it('that fails fails for all who asked, and for nobody after them', async () => {
    const { look, began, settle } = scene()
    const asked = Promise.allSettled([look.ask(), look.ask()])
    await settle()
    const next = look.ask()
    began[0]?.fail(new Error('no answer'))
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await settle()
    began[1]?.end('there')
    expect(await next).toBe('there')
  })
})
