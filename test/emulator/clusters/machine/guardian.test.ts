/** Tests that no server outlives its emulator. */
import type { ChildProcess } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { runNode } from '../../../support/run-program.ts'
import { useWorkspace } from '../../../support/workspace.ts'
import { eventually } from '../../support/eventually.ts'
import { findProcesses } from '../support.ts'

const host = fileURLToPath(new URL('../host.ts', import.meta.url))
const { path: root, empty } = useWorkspace()
let child: ChildProcess | undefined

afterEach(() => {
  child?.kill('SIGKILL')
  empty()
})

test.each(['has just created its folder', 'runs databases'])(
  'a SIGKILL to the group of a process that %s leaves nothing',
  async moment => {
    // As the leader of a process group.
    const run = runNode([host, root], { detached: true })
    child = run.child
    if (moment === 'runs databases') await run.until('ready')
    await eventually(async () => expect(await readdir(root)).not.toEqual([]))
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
    await eventually(async () => {
      expect(await findProcesses(root)).toEqual([])
      expect(await readdir(root)).toEqual([])
    })
  },
)

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
