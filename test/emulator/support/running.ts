import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator/http/server.ts'

/** Those that the HTTP caller sends. */
export const testKeys = { publicKey: 'local', secretKey: 'local-secret-key' }

const running: Emulator[] = []

/** Starts an emulator that `stopAll` stops. */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ ...testKeys, ...options })
  running.push(emulator)
  return emulator
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(emulator => emulator.stop()))
}
