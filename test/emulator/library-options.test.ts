/** Tests the options of startEmulator. */
import { expect, test } from 'vitest'
import { type EmulatorOptions, startEmulator } from '../../emulator/library.ts'

test.each<[object, string]>([
  [{ readyAfter: '1s' }, 'readyAfter: expected a number of milliseconds, at least 0, not "1s"'],
  [{ changeAfter: -1 }, 'changeAfter: expected a number of milliseconds, at least 0, not -1'],
  [{ readyafter: 0 }, 'there is no option readyafter (did you mean readyAfter?)'],
  [{ port: 70_000 }, 'port: expected a port from 0 to 65535, not 70000'],
  [{ ports: [9, 8] }, 'ports: expected two ports from 1 to 65535, the lower one first, not [9,8]'],
  [{ databases: 'false' }, 'databases: expected true or false, not "false"'],
  [{ peerings: 'never' }, 'peerings: expected accepted, pending or failed, not "never"'],
  [{ secretKey: 7 }, 'secretKey: expected a non-empty text'],
  [
    { onRequest: 1, temp: '' },
    'onRequest: expected a function, not 1; temp: expected a non-empty text, not ""',
  ],
])('startEmulator rejects %j', async (options, problem) => {
  await expect(startEmulator({ databases: false, ...options } as EmulatorOptions)).rejects.toThrow(
    new Error(`startEmulator: ${problem}`),
  )
})

test('startEmulator rejects a folder that cannot be used, and names the flag for another one', async () => {
  await expect(startEmulator({ temp: '/nowhere/at/all' })).rejects.toThrow(
    'No folder can be created below /nowhere/at/all: choose another folder with --temp',
  )
})

test('startEmulator treats an undefined option as missing', async () => {
  await using emulator = await startEmulator({ databases: false, ...({ readyAfter: undefined } as object) })
  expect(emulator.port).toBeGreaterThan(0)
})
