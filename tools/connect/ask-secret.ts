/** Asks for a secret on the terminal, without showing it. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ActionError } from '#base/errors'

/** Hides the typed characters. */
const mute = () => new Writable({ write: (_, __, done) => done() })

/** @throws ActionError without a terminal, or if the question is cancelled */
export async function askSecret(
  question: string,
  input: NodeJS.Process['stdin'] | { isTTY: false },
): Promise<string> {
  if (!input.isTTY)
    throw new ActionError(
      'no password secret is set, and there is no terminal to ask for it',
      'set DATABASE_PASSWORD_SECRET',
    )
  process.stderr.write(question)
  const terminal = createInterface({ input, output: mute(), terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.on('close', () => reject(new ActionError('cancelled', 'run the command again')))
      terminal.question('', answer => resolve(answer))
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
