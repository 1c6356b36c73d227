/** Tests that the quarantine of a subscription does not affect the parent's slot. */
import { beforeAll, expect, it } from 'vitest'
import {
  createFork,
  createPublisher,
  createService,
  type Outputs,
  quarantineDatabase,
  runAsSuperuser,
  runSql,
  subscribe,
} from '../../support/fork.ts'
import { useWorkbench } from '../../support/workbench.ts'

const bench = useWorkbench()
let publisher: Outputs
let parent: Outputs
beforeAll(async () => {
  ;[publisher, parent] = await Promise.all([createPublisher(bench), createService(bench)])
  await subscribe(parent, publisher)
})

const slots = async () =>
  (await runSql(publisher, 'SELECT slot_name FROM pg_replication_slots ORDER BY 1')).map(
    ({ slot_name }) => slot_name,
  )

const arrived = async () => (await runSql(parent, 'SELECT n FROM orders ORDER BY n')).map(({ n }) => n)

it('drops a subscription, and the parent still receives changes', async () => {
  await runSql(publisher, 'INSERT INTO orders VALUES (1)')
  await expect.poll(arrived, { interval: 100, timeout: 20_000 }).toEqual([1])
  const fork = await createFork(bench, parent)
  // The subscription is only disabled.
  await runSql(fork, 'ALTER SUBSCRIPTION orders DISABLE')
  const report = await quarantineDatabase(fork)
  expect(report).toMatchObject({ undone: [], quarantined: [{ kind: 'subscription', name: 'orders' }] })
  expect(await runSql(fork, 'SELECT subname FROM pg_subscription')).toEqual([])
  expect(await slots()).toEqual(['orders'])
  await runSql(publisher, 'INSERT INTO orders VALUES (2)')
  await expect.poll(arrived, { interval: 100, timeout: 20_000 }).toEqual([1, 2])
})

it('keeps the slot of the parent if a subscription is still copying a table', async () => {
  await runSql(
    publisher,
    'CREATE TABLE large (n int PRIMARY KEY); GRANT SELECT ON large TO reader; INSERT INTO large VALUES (1)',
  )
  await runSql(publisher, 'ALTER PUBLICATION orders ADD TABLE large')
  // The copy does not end in this test.
  await runSql(
    parent,
    `CREATE TABLE large (n int PRIMARY KEY);
     CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END';
     CREATE TRIGGER wait BEFORE INSERT ON large FOR EACH ROW EXECUTE FUNCTION wait();
     ALTER TABLE large ENABLE ALWAYS TRIGGER wait`,
  )
  // No worker of the fork may take the slot before the quarantine.
  await runAsSuperuser(parent, 'ALTER SYSTEM SET max_logical_replication_workers = 0')
  await runSql(parent, 'ALTER SUBSCRIPTION orders REFRESH PUBLICATION')
  await expect.poll(slots, { interval: 50, timeout: 20_000 }).toHaveLength(2)
  const before = await slots()
  const fork = await createFork(bench, parent)
  expect((await quarantineDatabase(fork)).undone).toEqual([])
  expect(await slots()).toEqual(before)
})
