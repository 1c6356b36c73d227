import { createClient } from '../../src/client/client.ts'
import type { Context } from '../../src/operations/context.ts'
import { FakeSeam, type Scripted } from './fake-seam.ts'

/** What an operation works with, without a world around it; and all that it did and said. */
export interface FakeContext {
  context: Context
  seam: FakeSeam
  lines: string[]
  warnings: string[]
  controller: AbortController
}

/** A context whose network answers by a script and whose time passes only by waiting. */
export function fakeContext(script: Scripted[], parts: Partial<Context> = {}): FakeContext {
  const seam = new FakeSeam(script)
  const lines: string[] = []
  const warnings: string[] = []
  const controller = new AbortController()
  const { signal } = controller
  const { deadline = 600_000 } = parts
  const context: Partial<Context> = {
    seam,
    signal,
    deadline,
    client: createClient({
      seam,
      signal,
      baseUrl: 'https://api.example/v1',
      credentials: { publicKey: 'pub', secretKey: 'sec' },
      maxAttempts: 5,
      deadline,
    }),
    log: {
      info: line => lines.push(line),
      warning: line => warnings.push(line),
      debug: () => {},
    },
    ...parts,
  }
  return { context: context as Context, seam, lines, warnings, controller }
}
