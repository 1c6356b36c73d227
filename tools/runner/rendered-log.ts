/** Renders the log of a step like GitHub's runner. */
import { RunnerCommandReader } from './command.ts'
import { RunnerMasker } from './masker.ts'

/** The runner's prefixes for these commands (actions/runner, ActionCommandManager.cs). */
const labels: Record<string, string> = {
  warning: 'Warning: ',
  error: 'Error: ',
  notice: 'Notice: ',
  group: '▼ ',
}

/** The log of a job in the runner's form: commands executed, masked texts as `***` from then on. */
export class RunnerLog {
  readonly #commands = new RunnerCommandReader()
  readonly #masker = new RunnerMasker()

  /** Hides a text, or each of its lines. */
  mask(text: string): void {
    this.#masker.addMask(text)
  }

  /** The text with every masked one in it hidden. */
  redact(text: string): string {
    return this.#masker.mask(text)
  }

  /** The log's line for a line of a step's output; undefined for none. */
  show(line: string): string | undefined {
    const command = this.#commands.read(line)
    if (command === undefined) return this.redact(line)
    const { name, data, effect } = command
    if (effect === 'refused') return this.redact(`Error: Unable to process command '${line}' successfully.`)
    if (effect !== 'done') return this.redact(line)
    if (name === 'add-mask') this.mask(data)
    const label = labels[name]
    // All other commands have effects but no line in the log.
    return label === undefined ? undefined : this.redact(label + data)
  }
}
