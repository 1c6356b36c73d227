import type { EventEmitter } from 'node:events'
import * as core from '@actions/core'
import { createRealSeam } from '../client/real-seam.ts'
import type { Seam } from '../client/seam.ts'

/** What the action uses of the process that it runs in. It emits the signals that the process gets. */
export interface StepProcess extends EventEmitter {
  env: NodeJS.ProcessEnv
  exitCode?: number | string | null | undefined
  exit(code?: number): void
}

/** What the action uses of the runner's toolkit, to write to the log and to the files of the step. */
export type Toolkit = Pick<
  typeof core,
  | 'info'
  | 'debug'
  | 'notice'
  | 'warning'
  | 'error'
  | 'setSecret'
  | 'setOutput'
  | 'exportVariable'
  | 'saveState'
  | 'getState'
>

/** All that a step has from outside. Tests hand in their own, and so run whole steps without processes. */
export interface Host {
  process: StepProcess
  toolkit: Toolkit
  /** Time, chance and the network of the API. */
  seam: Seam
}

/** One by one: the whole of it would keep its summaries and tokens in the bundle, which nothing here uses. */
const toolkit: Toolkit = {
  info: core.info,
  debug: core.debug,
  notice: core.notice,
  warning: core.warning,
  error: core.error,
  setSecret: core.setSecret,
  setOutput: core.setOutput,
  exportVariable: core.exportVariable,
  saveState: core.saveState,
  getState: core.getState,
}

/** This process, the runner that started it, and the real network. */
export function openHost(): Host {
  return { process, toolkit, seam: createRealSeam() }
}
