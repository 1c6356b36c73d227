/** Runs the action for the pictures. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator } from '../../emulator/library.ts'
import { pullRequest, startStandIn, token, withoutProxy } from '../runner/github.ts'
import { runStep } from '../runner/run-step.ts'

/** The contents of the parent: enough rows for a slow migration, and a login that a preview must not have. */
const shop = `
  CREATE TABLE customers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text NOT NULL);
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers,
    total double precision NOT NULL,
    note text
  );
  INSERT INTO customers (email) SELECT 'customer' || n || '@shop.example' FROM generate_series(1, 20000) n;
  INSERT INTO orders (customer_id, total, note) SELECT 1 + n % 20000, n / 7.0, 'note ' || n FROM generate_series(1, 2000000) n;
  CREATE ROLE reporting LOGIN PASSWORD 'known-to-the-reporting-team';
  ANALYZE;`

/** Two statements that rewrite and destroy, and one that does neither. */
const migration = `ALTER TABLE orders ALTER COLUMN total TYPE numeric(12,2);
ALTER TABLE orders DROP COLUMN note;
ALTER TABLE customers ADD COLUMN newsletter boolean NOT NULL DEFAULT false;
`

/** The emulator's databases are on this machine; the pictures have a host of the real service instead. */
const withRealHost = (markdown: string) =>
  markdown.replace(/127\.0\.0\.1:\d+/g, 'd1k5vk7hf2.q8w3n6t1zx.tsdb.cloud.timescale.com:34817')

/**
 * Opens a pull request against the emulator, with the committed action.
 * @returns its comment as Markdown, before and after a migration was rehearsed
 */
export async function playRealRun(): Promise<{ comment: string; rehearsed: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  await using emulator = await startEmulator({ snapshotAfter: 0 })
  const github = await startStandIn()
  try {
    const environment = {
      ...github.event(folder, 'pull_request', { action: 'opened', pull_request: pullRequest }),
      ...{ ...withoutProxy, GITHUB_RUN_ID: '20260131' },
      // The comment contains the connect command, with the repository and tag of the action.
      ...{ GITHUB_ACTION_REPOSITORY: 'acme/managed-database-action', GITHUB_ACTION_REF: 'v1' },
    }
    await mkdir(join(folder, 'migrations'))
    await writeFile(join(folder, 'migrations/0042_total.sql'), migration)
    const access = {
      base_url: emulator.baseUrl,
      public_key: emulator.keys.publicKey,
      secret_key: emulator.keys.secretKey,
      list_lag: '100ms',
    }
    const run = async (inputs: Record<string, string>) => {
      const step = await runStep({ inputs: { ...access, ...inputs }, environment })
      if (step.exitCode !== 0) throw new Error(`the step failed: ${step.stdout}${step.stderr}`)
      return step
    }
    const parent = await run({ operation: 'create-service', name: 'shop' })
    await run({ operation: 'run-sql', database_url: parent.outputs.database_url ?? '', sql: shop })
    const github_token = token
    const { outputs } = await run({
      ...{ operation: 'preview', service_id: parent.outputs.service_id ?? '', fork_strategy: 'NOW' },
      ...{ max_age: '336h', github_token },
    })
    const comment = github.comments().join()
    if (!comment.includes('Preview database ready')) throw new Error(`not the comment of READY: ${comment}`)
    await run({
      ...{ operation: 'rehearse-migration', database_url: outputs.database_url ?? '' },
      ...{ sql_file: 'migrations/*.sql', comment: 'true', github_token },
    })
    const rehearsed = github.comments().join()
    return { comment: withRealHost(comment), rehearsed: withRealHost(rehearsed) }
  } finally {
    await github.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
