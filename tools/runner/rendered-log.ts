import { RunnerCommandReader } from './command.ts'
import { RunnerMasker } from './masker.ts'

/** What the runner prints before the text of these commands (actions/runner, ActionCommandManager.cs). */
const labels: Record<string, string> = {
  warning: 'Warning: ',
  error: 'Error: ',
  notice: 'Notice: ',
  group: '▼ ',
}

/** The log of a job as the runner shows it: commands carried out, masked texts as `***` from then on. */
export class RunnerLog {
  readonly #commands = new RunnerCommandReader()
  readonly #masker = new RunnerMasker()

  /** Hides a text; of several lines, each. */
  mask(text: string): void {
    this.#masker.addMask(text)
  }

  /** The text with every masked one in it hidden. */
  redact(text: string): string {
    return this.#masker.mask(text)
  }

  /** What the log shows for a line that a step printed; undefined for nothing. */
  show(line: string): string | undefined {
    const command = this.#commands.read(line)
    if (command === undefined) return this.redact(line)
    const { name, data, effect } = command
    if (effect === 'refused') return this.redact(`Error: Unable to process command '${line}' successfully.`)
    if (effect !== 'done') return this.redact(line)
    if (name === 'add-mask') this.mask(data)
    const label = labels[name]
    // All other commands do their work and leave nothing in the log.
    return label === undefined ? undefined : this.redact(label + data)
  }
}
