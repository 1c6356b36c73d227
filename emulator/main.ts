import { readFile } from 'node:fs/promises'
import { openClusters } from './clusters/clusters.ts'
import type { ClustersRecord } from './clusters/record.ts'
import { type CommandLine, CommandLineError, helpText, parseCommandLine } from './command-line.ts'
import { DataFolder } from './data-folder.ts'
import { renderGreeting, renderRequest } from './greeting.ts'
import { type FaultRule, parseFaultRules } from './http/fault-rules.ts'
import { type Emulator, startEmulator } from './http/server.ts'
import { isScript, watchParent } from './parent-watch.ts'
import { StopSignal } from './stop-signal.ts'
import type { Effect } from './store/effect.ts'

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
  const { data } = commandLine
  const memory = data === undefined ? undefined : await DataFolder.open(data, commandLine.databases)
  try {
    const settled = { ...commandLine, ...(memory && (await keptKeys(commandLine, memory))) }
    const emulator = await start(settled, memory)
    process.stdout.write(renderGreeting(emulator, settled))
    await signal.received
    process.stdout.write(
      `Stopping: ends every database${memory ? '; its files stay' : ' and removes its files'}.\n`,
    )
    await emulator.stop()
  } finally {
    await memory?.close()
  }
  signal.release()
}

/** Of the kept key, the halves that were not given. */
async function keptKeys({ isPublicGenerated, isSecretGenerated }: CommandLine, memory: DataFolder) {
  if (!isPublicGenerated && !isSecretGenerated) return {}
  const { publicKey, secretKey } = await memory.keys()
  return { ...(isPublicGenerated && { publicKey }), ...(isSecretGenerated && { secretKey }) }
}

async function start(commandLine: CommandLine, memory: DataFolder | undefined): Promise<Emulator> {
  const faultRules = await readFaults(commandLine)
  const dataPlane = commandLine.databases ? await openDatabases(commandLine, memory) : undefined
  try {
    return await startEmulator({
      ...commandLine,
      ...(dataPlane && { dataPlane }),
      ...(memory && { memory }),
      faultRules,
      onRequest: request => process.stdout.write(renderRequest(request)),
      onProblem: line => process.stderr.write(`emulator: ${line}\n`),
    })
  } catch (error) {
    await dataPlane?.close()
    throw error
  }
}

async function readFaults({ faultsFile }: CommandLine): Promise<FaultRule[]> {
  if (faultsFile === undefined) return []
  try {
    return parseFaultRules(await readFile(faultsFile, 'utf8'))
  } catch (error) {
    throw new CommandLineError(`--faults ${faultsFile}: ${describe(error)}`)
  }
}

function openDatabases(commandLine: CommandLine, memory: DataFolder | undefined) {
  const { temp, snapshotAfter, snapshotEvery, postgres } = commandLine
  return openClusters({
    host: commandLine.host,
    ...(temp !== undefined && { root: temp, advice: 'choose another folder with --temp' }),
    ...(memory && whatIsThere(memory)),
    ...(snapshotAfter !== undefined && { snapshotAfter }),
    ...(snapshotEvery !== undefined && { snapshotEvery }),
    ...(postgres !== undefined && { programs: postgres }),
  })
}

function whatIsThere({ folder, kept }: DataFolder) {
  return {
    folder,
    advice: 'choose another folder with --data',
    // The clusters described themselves: an emulator of the same format reads it.
    record: kept?.databases as ClustersRecord | undefined,
    leftOut: new Set(kept?.effects.flatMap(idToDelete)),
    promisedPorts: kept?.effects.flatMap(effect =>
      'reserved' in effect && effect.reserved ? [effect.reserved.port] : [],
    ),
  }
}

function idToDelete(effect: Effect): string[] {
  if (effect.kind === 'delete-service') return [effect.serviceId]
  return effect.kind === 'delete-replica' ? [effect.replicaSetId] : []
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what uses it, or choose another with --port`
  if (code === 'EADDRNOTAVAIL') return `${error.message}: choose an address of this machine with --host`
  if (code === 'EACCES' && port !== undefined) {
    return `port ${port} may not be used by this user: choose one above 1023 with --port`
  }
  return error.message
}
