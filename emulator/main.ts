import { openClusters } from './clusters/clusters.ts'
import { type CommandLine, helpText, parseCommandLine } from './command-line.ts'
import { renderGreeting, renderRequest } from './greeting.ts'
import { type Emulator, startEmulator } from './http/server.ts'
import { isScript, watchParent } from './parent-watch.ts'
import { StopSignal } from './stop-signal.ts'

await main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`emulator: ${describe(error)}\n`)
  process.exitCode = 1
})

async function main(args: string[]): Promise<void> {
  const commandLine = parseCommandLine(args)
  if (commandLine.help) {
    process.stdout.write(helpText)
    return
  }
  // Writing fails once nobody reads the output any more. The databases must be stopped all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const signal = new StopSignal()
  // A shell that started the emulator itself may end before it; the one of a package script may not.
  if (isScript(process.env) && !commandLine.detached) watchParent(() => signal.give())
  const emulator = await start(commandLine)
  process.stdout.write(renderGreeting(emulator, commandLine))
  await signal.received
  process.stdout.write('Stopping: ends every database and removes its files.\n')
  await emulator.stop()
  signal.release()
}

async function start(commandLine: CommandLine): Promise<Emulator> {
  const dataPlane = commandLine.databases ? await openDatabases(commandLine) : undefined
  try {
    return await startEmulator({
      ...commandLine,
      ...(dataPlane && { dataPlane }),
      onRequest: request => process.stdout.write(renderRequest(request)),
      onProblem: line => process.stderr.write(`emulator: ${line}\n`),
    })
  } catch (error) {
    await dataPlane?.close()
    throw error
  }
}

function openDatabases({ temp, snapshotAfter }: CommandLine) {
  return openClusters({
    ...(temp !== undefined && { root: temp }),
    ...(snapshotAfter !== undefined && { snapshotAfter }),
  })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what uses it, or choose another with --port`
  if (code === 'EACCES' && port !== undefined) {
    return `port ${port} may not be used by this user: choose one above 1023 with --port`
  }
  return error.message
}
