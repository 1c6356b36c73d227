/** Tests the jobs that act runs. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ActRepository, actProgram, openShop } from './support/act.ts'
import { onPullRequest, onPush, useStage } from './support/setting.ts'
import { repository } from './support/workflow-file.ts'

const read = (path: string) => readFileSync(resolve(repository, path), 'utf8')

const access = `base_url: \${{ vars.DATABASE_BASE_URL }}
          public_key: \${{ secrets.DATABASE_PUBLIC_KEY }}
          secret_key: \${{ secrets.DATABASE_SECRET_KEY }}`

/** A team's own composite action that uses this action, as in a monorepo. */
const composite = `name: database
description: A database for one job
inputs:
  base_url: { required: true, description: Address }
  public_key: { required: true, description: Key }
  secret_key: { required: true, description: Key }
outputs:
  url: { description: Address, value: '\${{ steps.made.outputs.database_url }}' }
  service_id: { description: Id, value: '\${{ steps.made.outputs.service_id }}' }
runs:
  using: composite
  steps:
    - id: made
      uses: OWNER_OF_YOUR_COPY/managed-database-action@v1
      with:
        operation: create-service
        name: test-*
        base_url: \${{ inputs.base_url }}
        public_key: \${{ inputs.public_key }}
        secret_key: \${{ inputs.secret_key }}
        wait_for_connection: true
        cleanup: always
`

/** Two jobs with a database each; the second one fails in the middle. */
const matrix = `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: { fail-fast: false, matrix: { shard: [1, 2] } }
    steps:
      - uses: actions/checkout@v5
      - id: database
        uses: ./.github/actions/database
        with:
          ${access}
      - run: |
          psql "$URL" -c "create table shards as select $SHARD as shard" -c 'select shard + 40 from shards'
          echo "shown: <$URL>"
        env: { URL: '\${{ steps.database.outputs.url }}', SHARD: '\${{ matrix.shard }}' }
      - id: wrong
        continue-on-error: true
        uses: OWNER_OF_YOUR_COPY/managed-database-action@v1
        with:
          operation: get-service
          service_id: nowhere000
          ${access}
      - run: 'echo "shard $SHARD: outcome $OUTCOME, conclusion $CONCLUSION"'
        env:
          SHARD: \${{ matrix.shard }}
          OUTCOME: \${{ steps.wrong.outcome }}
          CONCLUSION: \${{ steps.wrong.conclusion }}
      - if: matrix.shard == 2
        uses: OWNER_OF_YOUR_COPY/managed-database-action@v1
        with:
          operation: delete-service
          service_id: '../other'
          ${access}
      - run: 'echo "shard $SHARD is done"'
        env: { SHARD: '\${{ matrix.shard }}' }
      - if: failure()
        run: 'echo "shard $SHARD has failed"'
        env: { SHARD: '\${{ matrix.shard }}' }
`

describe.skipIf(actProgram === undefined)(
  'jobs run by act (skipped unless the variable ACT names it)',
  () => {
    const stage = useStage()
    let shop: ActRepository
    beforeAll(() => {
      shop = openShop(stage)
    })
    afterEach(async () => {
      stage.bench.injectFaults(() => undefined)
      expect(await stage.others()).toEqual([])
    })
    afterAll(() => shop?.remove())

    it('the ten lines by the workflow for servers, which hands its outputs to a later job', async () => {
      const number = stage.github.openPullRequest()
      const later = `  later:
    needs: preview
    runs-on: ubuntu-latest
    steps:
      - run: echo "$OUTPUTS"
        env: { OUTPUTS: '\${{ toJSON(needs.preview.outputs) }}' }
`
      const workflow = read('examples/preview-in-ten-lines.yml') + later
      const opened = await shop.run('preview.yml', workflow, onPullRequest('opened', number))
      expect(opened, opened.log).toMatchObject({ succeeded: true })
      const [preview] = await stage.others()
      expect(preview).toMatchObject({ status: 'READY', forked_from: { service_id: stage.parentId } })
      for (const [name, value] of [
        ['service_id', preview?.service_id],
        ['host', preview?.endpoint?.host],
        ['port', preview?.endpoint?.port],
        ['created', true],
        ['skipped', false],
      ])
        expect(opened.log).toMatch(new RegExp(`\\| +"${name}": "${value}",?$`, 'm'))

      stage.github.closePullRequest(number)
      // As with the secrets of an environment, under the names that they have in the repository.
      const inheriting = workflow.replace(/secrets: \{.*?" \}/s, 'secrets: inherit')
      expect(inheriting).toContain('secrets: inherit')
      const closed = await shop.run('preview.yml', inheriting, onPullRequest('closed', number))
      expect(closed, closed.log).toMatchObject({ succeeded: true })
      expect(closed.log).toContain('delete-preview: done')
      const pruning = read('examples/prune-in-ten-lines.yml')
      const pruned = await shop.run('prune.yml', pruning, { name: 'schedule', payload: {} })
      expect(pruned, pruned.log).toMatchObject({ succeeded: true })
      expect(pruned.log).toContain('prune-previews: done; there are no previews')
    })

    it('a matrix of composite actions: outputs, masks, failures, and the end of each job', async () => {
      const mark = stage.bench.emulator.requests.length
      const files = { '.github/actions/database/action.yml': composite }
      const { succeeded, log } = await shop.run('matrix.yml', matrix, onPush, { files })
      expect(succeeded, log).toBe(false)
      const count = (pattern: RegExp) => log.match(pattern)?.length ?? 0
      expect([...log.matchAll(/\| (4[12])$/gm)].map(([, shard]) => shard).sort(), log).toEqual(['41', '42'])
      // Where a mask is part of another, act may take the shorter one.
      expect(count(/\| shown: <(?:\*\*\*|postgresql:\/\/tsdbadmin:\*\*\*@.*)>$/gm), log).toBe(2)
      expect(log).not.toMatch(/tsdbadmin:(?!\*\*\*)/)
      expect(log).not.toContain(stage.bench.secretKey)
      expect(count(/\| shard [12]: outcome failure, conclusion success$/gm)).toBe(2)
      expect(log).toMatch(/\| shard 1 is done$/m)
      expect(log).toMatch(/\| shard 2 has failed$/m)
      expect(log).not.toMatch(/shard 2 is done$|shard 1 has failed$/m)
      const asked = stage.bench.operationsSince(mark)
      for (const operation of ['create-service', 'delete-service'])
        expect(asked.filter(one => one === operation)).toHaveLength(2)
    })

    it('a job that is cancelled while it waits for its database, which its end deletes', async () => {
      // Until then it never gets READY, as far as the step can see.
      stage.bench.injectFaults(({ operation }) =>
        operation === 'get-service' ? { kind: 'answer', when: 'before', status: 503 } : undefined,
      )
      const { succeeded, log } = await shop.run(
        'cancelled.yml',
        `${read('examples/ephemeral-database.yml')}      - if: cancelled()\n        run: echo "it was cancelled"\n`,
        onPush,
        { cancelAt: /create-service created/, onCancel: () => stage.bench.injectFaults(() => undefined) },
      )
      expect(succeeded, log).toBe(false)
      expect(log).toMatch(/\| it was cancelled$/m)
      expect(log).toMatch(/cleanup: deleting service \w+, which this step created/)
    })

    it('our own end-to-end workflow, with the emulator as a step', async () => {
      const project = new ActRepository({ variables: {}, secrets: {}, environment: {}, isThisProject: true })
      try {
        const { succeeded, log } = await project.run('ci.yml', read('.github/workflows/ci.yml'), onPush, {
          more: ['--job', 'end-to-end', '--matrix', 'system:ubuntu-latest'],
        })
        expect(succeeded, log).toBe(true)
        expect(log).toContain('the emulator has ended')
        expect(log).toContain('Success - Main Look at the outputs')
      } finally {
        project.remove()
      }
    })
  },
)
