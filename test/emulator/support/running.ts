/** Starts and stops emulators of tests. */
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator/http/server.ts'
import { AnswerCheck } from '../../support/api-description.ts'

/** The keys that the HTTP caller sends. */
export const testKeys = { publicKey: 'local', secretKey: 'local-secret-key' }

const running: Emulator[] = []
let check = new AnswerCheck({ requests: false })

/** Starts an emulator that `stopAll` stops. */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ ...testKeys, onAnswer: check.checkAnswer, ...options })
  running.push(emulator)
  return emulator
}

/** Stops all emulators. Rejects if an answer contradicts the description of the API. */
export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(emulator => emulator.stop()))
  const finished = check
  check = new AnswerCheck({ requests: false })
  finished.throwProblems()
}
