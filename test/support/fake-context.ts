/** A context for tests of single operations. */
import { createClient } from '#client/client'
import type { DatabaseContext } from '#database/context'
import { TimelineRecorder } from '#operations/base/timeline'
import type { GitHub } from '#preview/base/github'
import { completeEvent } from '../preview/support/inputs.ts'
import { defaultSettings } from '../simulator/default-settings.ts'
import { clientOptions } from './client-options.ts'
import { FakeSeam, type Scripted } from './fake-seam.ts'

/** The context of an operation without a real environment, and a record of all calls and log lines. */
export interface FakeContext {
  context: DatabaseContext
  seam: FakeSeam
  lines: string[]
  warnings: string[]
  controller: AbortController
}

export type FakeParts = Partial<Omit<DatabaseContext, 'settings'>> & {
  settings?: Partial<DatabaseContext['settings']>
}

function rejectCall(): never {
  throw new Error('the test does not define this part of the context')
}

const silentJournal = { intend() {}, withdraw() {}, announce() {}, publish() {} }

/** A context with a scripted network. Its time advances only by waiting. */
export function fakeContext(script: Scripted[], { settings, ...parts }: FakeParts = {}): FakeContext {
  const seam = new FakeSeam(script)
  const lines: string[] = []
  const warnings: string[] = []
  const controller = new AbortController()
  const { signal } = controller
  const { deadline = 600_000 } = parts
  const context: DatabaseContext = {
    seam,
    signal,
    deadline,
    client: createClient({ ...clientOptions(), seam, signal, creatingSignal: signal, deadline }),
    log: {
      info: line => lines.push(line),
      notice: line => lines.push(line),
      warning: line => warnings.push(line),
      debug: () => {},
    },
    settings: { ...defaultSettings, ...settings },
    timeline: new TimelineRecorder(seam),
    journal: silentJournal,
    event: completeEvent({}),
    github: new Proxy({} as GitHub, { get: () => rejectCall }),
    derivePassword: rejectCall,
    mask: rejectCall,
    probe: rejectCall,
    withSession: rejectCall,
    workspace: '.',
    runCommand: rejectCall,
    readActivity: rejectCall,
    openContents: rejectCall,
    readSeeds: async () => [],
    readMaskFile: async () => undefined,
    ...parts,
  }
  return { context, seam, lines, warnings, controller }
}
