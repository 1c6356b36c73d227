// The output of the quickstart.

import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Longer lines of outputs are cut, so that they do not wrap. */
const widest = 100

/** The output for the person at the terminal. Silent once the signal is aborted. */
export class Screen {
  readonly #signal: AbortSignal
  /** The number of headings shown so far. */
  headings = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** A line at the margin. */
  write(text: string, style: Style = 'reset'): void {
    // Without a terminal, or with NO_COLOR, the text has no colors.
    if (!this.#signal.aborted) process.stdout.write(`${styleText(style, text, { stream: process.stdout })}\n`)
  }

  heading(text: string): void {
    this.headings++
    this.write('')
    this.write(`${this.headings}  ${text}`, ['bold', 'cyan'])
  }

  say(text: string, style?: Style): void {
    this.write(text && `   ${text.length > widest ? `${text.slice(0, widest - 1)}…` : text}`, style)
  }

  /** A line in a step's log. */
  log(line: string): void {
    this.say(
      `│ ${line}`,
      line.startsWith('Error: ') ? 'red' : line.startsWith('Warning: ') ? 'yellow' : 'reset',
    )
  }
}
