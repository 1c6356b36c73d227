/** The process, the toolkit and the seam of a step. */
import type { EventEmitter } from 'node:events'
import * as core from '@actions/core'
import type { Seam } from '#base/seam'
import { createRealSeam } from '#client/network/real-seam'

/** The part of the process that the action uses. Emits the signals that the process receives. */
export interface StepProcess extends EventEmitter {
  env: NodeJS.ProcessEnv
  exitCode?: number | string | null | undefined
  exit(code?: number): void
}

/**
 * The part of the runner's toolkit that the action uses, to write to the log and to the files of the step. Listed one by
 * one: with the whole toolkit, its unused summaries and tokens would stay in the bundle.
 */
const toolkit = {
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
export type Toolkit = typeof toolkit

/** All external resources of a step. Tests pass their own, so that they run whole steps without a process. */
export interface Host {
  process: StepProcess
  toolkit: Toolkit
  seam: Seam
}

export function openHost(): Host {
  return { process, toolkit, seam: createRealSeam() }
}
