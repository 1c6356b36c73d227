/** Tests that no server outlives its emulator. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { createRoot } from '../../../support/database-folder.ts'
import { eventually } from '../../support/eventually.ts'
import { findProcesses } from '../support.ts'

const host = fileURLToPath(new URL('../host.ts', import.meta.url))
let root: string
let child: ChildProcess | undefined

beforeEach(async () => {
  root = await createRoot()
})

afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts the host as the leader of a process group and waits until it prints the word or creates its folder. */
async function startHost(until: 'folder' | 'ready'): Promise<ChildProcess> {
  child = spawn(process.execPath, [host, root], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  if (until === 'folder') {
    await eventually(async () => expect(await readdir(root)).not.toEqual([]))
    return child
  }
  if (!child.stdout) throw new Error('The host has no output.')
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith(until)) break
  return child
}

async function expectNothingLeft(): Promise<void> {
  await eventually(async () => {
    expect(await findProcesses(root)).toEqual([])
    expect(await readdir(root)).toEqual([])
  })
}

test.each([
  ['SIGKILL', 'folder'],
  ['SIGKILL', 'ready'],
] as const)('a %s to the group of a process that is %s leaves nothing', async (signal, until) => {
  const { pid } = await startHost(until)
  expect(await readdir(root)).not.toEqual([])
  if (pid) process.kill(-pid, signal)
  await expectNothingLeft()
})

test('closing during all kinds of work leaves nothing, and nothing works afterwards', async () => {
  const plane = await openClusters({ root })
  const work = Promise.allSettled([
    plane.createService('a', 'p'),
    plane.forkService('b', 'a', { strategy: 'NOW' }, 'p'),
    plane.createReplicaSet('r', 'a'),
    plane.createService('c', 'p'),
    plane.openForwarder('a', 'vpc'),
  ])
  await eventually(async () => expect((await findProcesses(root)).length).toBeGreaterThan(1))
  await Promise.all([plane.close(), plane.close()])
  await work
  expect(await readdir(root)).toEqual([])
  expect(await findProcesses(root)).toEqual([])
  await expect(plane.createService('d', 'p')).rejects.toThrow('closing')
})
