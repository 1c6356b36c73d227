#!/usr/bin/env node
// The command line of the emulator: starts it, or runs `status` or `seed` on a running one.

import './recent-node.ts'

import { readFile } from 'node:fs/promises'
import { parseCommandLine } from './command/command-line.ts'
import { renderGreeting, renderRequest } from './command/greeting.ts'
import { helpText } from './command/help-text.ts'
import { isScript, watchParent } from './command/parent-watch.ts'
import { seed } from './command/seed.ts'
import { renderStatus } from './command/status.ts'
import { StopSignal } from './command/stop-signal.ts'
import { parseFaultRules } from './http/faults/fault-rules.ts'
import { type EmulatorOptions, type FaultEntry, startEmulator } from './library.ts'
import { parseProfile } from './store/progress/profile.ts'

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: stop the program that uses it, or choose another with --port`
  if (code === 'EADDRNOTAVAIL') return `${error.message}: choose an address of this machine with --host`
  if (code === 'EACCES' && port !== undefined) {
    return `port ${port} may not be used by this user: choose one above 1023 with --port`
  }
  return error.message
}

async function readFaults(file: string): Promise<FaultEntry[]> {
  try {
    return parseFaultRules(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Error(`--faults ${file}: ${describe(error)}`)
  }
}

async function readProfile(file: string): Promise<Pick<EmulatorOptions, 'like' | 'snapshotAfter'>> {
  try {
    const like = parseProfile(await readFile(file, 'utf8'))
    return { like, ...(like.snapshotAfter !== undefined && { snapshotAfter: like.snapshotAfter }) }
  } catch (error) {
    throw new Error(`--like ${file}: ${describe(error)}`)
  }
}

async function main(args: string[]): Promise<void> {
  const [command, ...rest] = args
  if (command === 'status') {
    process.stdout.write(await renderStatus(rest))
    return
  }
  if (command === 'seed') {
    process.stdout.write(await seed(rest))
    return
  }
  const commandLine = parseCommandLine(args)
  if (commandLine.help) {
    process.stdout.write(helpText)
    return
  }
  // After the reader of the output has ended, writing fails. Without a listener that would end the process before it stops
  // the databases.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const signal = new StopSignal()
  // A shell that runs the emulator directly may end before it; the shell of a package script may not.
  if (isScript(process.env) && !commandLine.detached) watchParent(() => signal.trigger())
  const { faultsFile, profileFile } = commandLine
  const options = {
    ...(profileFile !== undefined && (await readProfile(profileFile))),
    ...commandLine.options,
  }
  const emulator = await startEmulator({
    ...options,
    ...(faultsFile !== undefined && { faults: await readFaults(faultsFile) }),
    onRequest: request => process.stdout.write(renderRequest(request)),
    onProblem: line => process.stderr.write(`emulator: ${line}\n`),
  })
  process.stdout.write(renderGreeting(emulator, options))
  await signal.received
  const files = options.data === undefined ? ' and deletes its files' : ' and keeps its files'
  process.stdout.write(`Stopping: the emulator ends every database${files}.\n`)
  await emulator.stop()
  signal.release()
}

await main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`emulator: ${describe(error)}\n`)
  process.exitCode = 1
})
