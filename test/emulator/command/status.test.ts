/** Tests the status command of the emulator. */
import { afterEach, expect, test } from 'vitest'
import { seed } from '../../../emulator/command/seed.ts'
import { renderStatus } from '../../../emulator/command/status.ts'
import { callOverHttp } from '../support/http-caller.ts'
import { start, stopAll } from '../support/running.ts'

afterEach(stopAll)

test('the table has a line for each service, with aligned columns', async () => {
  const emulator = await start()
  const shop = (await callOverHttp(emulator, 'create-service', { name: 'shop\u001b[2J' })).body
  await callOverHttp(emulator, 'create-service', { name: 'the archive' })
  const text = await renderStatus(['--port', String(emulator.port)])
  expect(text).not.toContain(shop.initial_password)
  const [first, second, last] = text.split('\n')
  expect(first).toMatch(/^[a-z0-9]{10} {2}QUEUED {2}shop\?\[2J {5}\w+\.databases\.invalid:5432$/)
  expect(second).toMatch(/^[a-z0-9]{10} {2}QUEUED {2}the archive {2}\w+\.databases\.invalid:5432$/)
  expect(last).toMatch(/^http:/)
})

test('the JSON has the changes of services, and no requests', async () => {
  const emulator = await start()
  await callOverHttp(emulator, 'create-service', { name: 'shop' })
  const { events } = JSON.parse(await renderStatus(['--port', String(emulator.port), '-o', 'json']))
  expect(events).toEqual([expect.objectContaining({ kind: 'status', name: 'shop' })])
})

test('a missing emulator, or an unknown flag, is one line', async () => {
  await expect(renderStatus(['--port', '1'])).rejects.toThrow(
    /^no emulator answers at http:\/\/127\.0\.0\.1:1\S* \([^)]+\): start one/,
  )
  await expect(renderStatus(['--bogus'])).rejects.toThrow(
    "Unknown option '--bogus'; status takes -o table, json or env",
  )
  await expect(renderStatus(['--outptu', 'env'])).rejects.toThrow(
    "Unknown option '--outptu' (did you mean --output?); status takes",
  )
  await expect(renderStatus(['--port', 'x'])).rejects.toThrow('--port: expected a number, not "x"')
})

test('--help lists the flags', async () => {
  expect(await renderStatus(['--help'])).toMatch(/^status takes .*--port N/)
  expect(await seed(['-h'])).toMatch(/^seed takes .*--port N/)
})

test('seed without an emulator names the flag for its address', async () => {
  const args = ['--keys', 'PUB:SECRET', '--port', '1', 'postgresql://reader@db.example/shop']
  await expect(seed(args)).rejects.toThrow(/^no emulator answers at .* \(--port on the command line\)$/)
})
