/** Tests the comment of an interrupted step. */
import { expect, it } from 'vitest'
import { withFinalComment } from '#preview/on-github/comment'
import { fakeContext } from '../support/fake-context.ts'

/** A context whose `final` part has a signal of its own. */
function open() {
  const { context, controller } = fakeContext([])
  const { signal } = new AbortController()
  context.final = { signal, github: context.github }
  return { context, controller, signal }
}

it('is written at once when the step is cut short, although the work hangs', async () => {
  const { context, controller, signal } = open()
  const written = Promise.withResolvers<unknown[]>()
  const hanging = new Promise<never>(() => {})
  void withFinalComment(
    context,
    () => hanging,
    async (final, reason) => written.resolve([final.signal === signal, reason]),
  )
  controller.abort('the reason')
  expect(await written.promise).toEqual([true, 'the reason'])
})

it('is complete before the failure of the work is reported, and does not replace it', async () => {
  const { context, controller } = open()
  const seen: string[] = []
  const work = () => {
    controller.abort()
    return Promise.reject(new Error('cut short'))
  }
  const write = async () => {
    await Promise.resolve()
    seen.push('comment')
    throw new Error('GitHub is unreachable')
  }
  await withFinalComment(context, work, write).catch(failure => seen.push(failure.message))
  expect(seen).toEqual(['comment', 'cut short'])
})

it('is not written for a step that ends by itself', async () => {
  const { context, controller } = open()
  const write = () => Promise.reject(new Error('written'))
  expect(await withFinalComment(context, async () => 'done', write)).toBe('done')
  controller.abort()
})
