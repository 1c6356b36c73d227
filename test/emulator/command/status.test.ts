/** Tests the status command of the emulator. */
import { afterEach, expect, test } from 'vitest'
import { seed } from '../../../emulator/command/seed.ts'
import { renderRunning } from '../../../emulator/command/status.ts'
import { callOver } from '../support/http-caller.ts'
import { start, stopAll } from '../support/running.ts'

afterEach(stopAll)

test('the tables show the contents of an emulator', async () => {
  const started = Date.UTC(2026, 7, 1, 12)
  let now = started
  const emulator = await start({ now: () => now, random: () => 0.5 })
  const shop = (await callOver(emulator, 'create-service', { name: 'shop\u001b[2J' })).body
  now += 5_000
  await callOver(emulator, 'fork-service', {
    service_id: shop.service_id,
    name: 'preview-pr-7-0a1b2c3d-abc123',
    fork_strategy: 'NOW',
  })
  const reader = { name: 'reader', nodes: 1, cpu_millis: 500, memory_gbs: 2 }
  await callOver(emulator, 'create-replica', { service_id: shop.service_id, ...reader })
  const network = { name: 'office', cidr: '10.0.0.0/16', region_code: 'us-east-1' }
  const vpc = (await callOver(emulator, 'create-vpc', network)).body
  await callOver(emulator, 'create-vpc', { ...network, name: 'new', cidr: '10.1.0.0/16' })
  now += 1_000
  const peering = {
    peer_account_id: '999999999999',
    peer_region_code: 'us-east-1',
    peer_vpc_id: 'vpc-0a1b2c3d',
  }
  await callOver(emulator, 'create-peering', { vpc_id: vpc.id, ...peering })
  now += 90_000
  const ids =
    /\b[a-z][a-z0-9]{9}\b(?= {2}(?:shop|preview|reader))|(?<=service )[a-z][a-z0-9]{9}|(?<=services\/)\w+/g
  const text = await renderRunning(['--port', String(emulator.port)])
  expect(text).not.toContain(shop.initial_password)
  expect(text.replaceAll(ids, 'ID________').replaceAll(/\d{10}/g, 'NUMBER')).toMatchInlineSnapshot(`
    "project em00000001, API at /public/api/v1

    Services and previews
      id          name                          status  age  size           on disk  sessions  parent    address
      ID________  shop?[2J                      READY   1 m  0.5 CPU, 2 GB  -        -         -         niiiiiiiii.databases.invalid:5432
      ID________  preview-pr-7-0a1b2c3d-abc123  READY   1 m  0.5 CPU, 2 GB  -        -         shop?[2J  niiiiiiiij.databases.invalid:5432

    Read replica sets
      id          name    status  age  size           on disk  sessions  of        address
      ID________  reader  active  1 m  0.5 CPU, 2 GB  -        -         shop?[2J  niiiiiiiik.databases.invalid:5432

    VPCs
      id          name    range        region     peering                       status
      NUMBER  office  10.0.0.0/16  us-east-1  vpc-0a1b2c3d of NUMBER99  INVALID
      NUMBER  new     10.1.0.0/16  us-east-1  -                             CREATED

    Recent events
      time (UTC)  what
      12:00:05    202 POST /public/api/v1/projects/em00000001/services/ID________/forkService
      12:00:05    shop?[2J: service ID________ is forked from this one (NOW)
      12:00:05    preview-pr-7-0a1b2c3d-abc123: service ID________ is QUEUED
      12:00:05    202 POST /public/api/v1/projects/em00000001/services/ID________/replicaSets
      12:00:05    shop?[2J: replica set niiiiiiiik asked for
      12:00:05    202 POST /public/api/v1/projects/em00000001/vpcs
      12:00:05    202 POST /public/api/v1/projects/em00000001/vpcs
      12:00:06    201 POST /public/api/v1/projects/em00000001/vpcs/NUMBER/peerings
      12:00:07    shop?[2J: replica set niiiiiiiik is active after create
      12:00:07    preview-pr-7-0a1b2c3d-abc123: service is READY after fork
    "
  `)
})

test('a missing emulator, or an unknown flag, is one line', async () => {
  await expect(renderRunning(['--port', '1'])).rejects.toThrow(
    /^no emulator answers at http:\/\/127\.0\.0\.1:1/,
  )
  await expect(renderRunning(['--bogus'])).rejects.toThrow(
    "Unknown option '--bogus'; status takes -o table, json or env",
  )
  await expect(renderRunning(['--port', 'x'])).rejects.toThrow('--port: expected a number, not "x"')
})

test('--help lists the flags', async () => {
  expect(await renderRunning(['--help'])).toMatch(/^status takes .*--port N/)
  expect(await seed(['-h'])).toMatch(/^seed takes .*--port N/)
})

test('seed without an emulator names the flag for its address', async () => {
  const args = ['--keys', 'PUB:SECRET', '--port', '1', 'postgresql://reader@db.example/shop']
  await expect(seed(args)).rejects.toThrow(/^no emulator answers at .* \(--port on the command line\)$/)
})
