import { createClient } from '../../src/client/client.ts'
import type { PreviewContext } from '../../src/preview/base/context.ts'
import { FakeSeam, type Scripted } from './fake-seam.ts'

/** The context of an operation, without a world around it, and everything that the operation did and said. */
export interface FakeContext {
  context: PreviewContext
  seam: FakeSeam
  lines: string[]
  warnings: string[]
  controller: AbortController
}

type Parts = Partial<Omit<PreviewContext, 'settings'>> & { settings?: Partial<PreviewContext['settings']> }

/** A context whose network answers by a script and whose time passes only by waiting. */
export function fakeContext(script: Scripted[], parts: Parts = {}): FakeContext {
  const seam = new FakeSeam(script)
  const lines: string[] = []
  const warnings: string[] = []
  const controller = new AbortController()
  const { signal } = controller
  const { deadline = 600_000 } = parts
  const context = {
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
      info: (line: string) => lines.push(line),
      notice: (line: string) => lines.push(line),
      warning: (line: string) => warnings.push(line),
      debug: () => {},
    },
    ...parts,
  }
  return { context: context as unknown as PreviewContext, seam, lines, warnings, controller }
}
