/** The post step: stops the emulator and its databases, and prints the log. */
import { readFile } from 'node:fs/promises'
import { stopProcess } from './emulator-process.ts'
import { readState } from './runner.ts'

const pid = Number(readState('pid'))
const wasRunning = pid > 0 && (await stopProcess(pid))

const log = await readFile(readState('log_file'), 'utf8').catch(() => '')
// Lines that look like a command of the runner must not be executed.
const lines = log.split('\n').map(line => line.replaceAll('::', ': :'))

process.stdout.write(wasRunning ? 'the emulator has ended\n' : 'the emulator had ended before\n')

process.stdout.write(
  `::group::log of the emulator, its last lines\n${lines.slice(-200).join('\n')}\n::endgroup::\n`,
)
