/** Tests the status command of the emulator. */
import { afterEach, expect, test } from 'vitest'
import { seed } from '../../../emulator/command/seed.ts'
import { renderStatus } from '../../../emulator/command/status.ts'
import { callOverHttp } from '../support/http-caller.ts'
import { start, stopAll } from '../support/running.ts'

afterEach(stopAll)

test('the table has a line for each service', async () => {
  const emulator = await start({ random: () => 0.5 })
  const shop = (await callOverHttp(emulator, 'create-service', { name: 'shop\u001b[2J' })).body
  const text = await renderStatus(['--port', String(emulator.port)])
  expect(text).not.toContain(shop.initial_password)
  expect(text).toMatch(/^[a-z0-9]{10} {2}QUEUED {7}shop\?\[2J {2}\w+\.databases\.invalid:5432\nhttp:/)
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
