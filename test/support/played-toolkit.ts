/** Simulates the runner's toolkit for a step. */
import { openHost, type Toolkit } from '#action/host/host'
import type { SimulatedProcess } from './simulated-process.ts'

/** Replaces the runner's toolkit, which supports only one process: each call uses the step's process. */
export function playedToolkit(played: SimulatedProcess, print: (chunk: string) => void): Toolkit {
  const { toolkit } = openHost()
  function within<Result>(act: () => Result): Result | undefined {
    if (played.over.signal.aborted) return undefined
    const { env, exitCode, stdout } = process
    const { write } = stdout
    process.env = played.env
    process.exitCode = undefined
    stdout.write = (chunk: string | Uint8Array) => {
      print(String(chunk))
      return true
    }
    try {
      return act()
    } finally {
      if (process.exitCode !== undefined) played.exitCode = process.exitCode
      process.env = env
      process.exitCode = exitCode
      stdout.write = write
    }
  }

  return {
    info: line => within(() => toolkit.info(line)),
    debug: line => within(() => toolkit.debug(line)),
    notice: line => within(() => toolkit.notice(line)),
    warning: (line, properties) => within(() => toolkit.warning(line, properties)),
    error: (line, properties) => within(() => toolkit.error(line, properties)),
    setSecret: secret => within(() => toolkit.setSecret(secret)),
    setOutput: (name, value) => within(() => toolkit.setOutput(name, value)),
    exportVariable: (name, value) => within(() => toolkit.exportVariable(name, value)),
    saveState: (name, value) => within(() => toolkit.saveState(name, value)),
    getState: name => within(() => toolkit.getState(name)) ?? '',
  }
}
