import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createJournal } from '../../src/action/journal.ts'
import { Secrets } from '../../src/action/secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'))
  vi.stubEnv('GITHUB_STATE', join(folder, 'is-not-there'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

it('announces what was created also where it cannot be written down, and does not deny it', () => {
  const announced = vi.fn()
  const journal = createJournal(announced, new Secrets())
  const outcome = { operation: 'create-service', ids: { project_id: 'p1', service_id: 's1' } }
  const write = () => journal.created({ resource: 'service', ids: outcome.ids, certain: true }, outcome)
  expect(write).toThrow(expect.objectContaining({ next: expect.not.stringContaining('nothing was created') }))
  expect(announced).toHaveBeenCalledWith(outcome)
})
