// The output of the quickstart.

import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

const margin = '   '
/** Longer lines of outputs are cut, so that they do not wrap. */
const widest = 100

const count = new Intl.NumberFormat('en-US')

const whereToNext = [
  'Next: README.md           how to use the action in a workflow',
  '      npm run emulator    the same API to try things on, until you stop it',
  '      npm test            every operation against it',
]

/** A number for readers. */
export function renderCount(value: number): string {
  return count.format(value)
}

/** Columns as wide as their widest cell, numbers to the right. */
export function renderTable(rows: (string | number)[][]): string[] {
  const cells = rows.map(row => row.map(cell => (typeof cell === 'number' ? renderCount(cell) : cell)))
  const columns = cells[0]?.map((_, index) => index) ?? []
  const widths = columns.map(index => Math.max(...cells.map(row => row[index]?.length ?? 0)))
  const isNumeric = columns.map(index => rows.slice(1).every(row => typeof row[index] === 'number'))
  return cells.map(row =>
    row
      .map((cell, index) =>
        isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** The output for the person at the terminal. Silent once the signal is aborted. */
export class Screen {
  readonly #signal: AbortSignal
  readonly #hasColors = process.stdout.isTTY === true && !process.env.NO_COLOR
  /** The number of headings shown so far. */
  headings = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  title(text: string): void {
    this.#write(this.#style('bold', text))
  }

  heading(text: string): void {
    this.headings++
    this.#write(`\n${this.#style(['bold', 'cyan'], `${this.headings}  ${text}`)}`)
  }

  say(text: string): void {
    this.#write(margin + text)
  }

  code(lines: string[]): void {
    for (const line of lines) this.say(this.#style('green', line))
  }

  /** A message in a step's log, of one line or more. */
  log(message: string): void {
    const style = message.startsWith('Error: ') ? 'red' : message.startsWith('Warning: ') ? 'yellow' : 'reset'
    for (const line of message.split(/\r?\n/))
      this.say(`${this.#style('dim', '│')} ${this.#style(style, line)}`)
  }

  table(rows: (string | number)[][]): void {
    const [head = '', ...lines] = renderTable(rows)
    this.say(this.#style('dim', head))
    for (const line of lines) this.say(line)
  }

  /** Names and their values. */
  list(values: Record<string, string>): void {
    for (const line of renderTable(Object.entries(values)))
      this.say(line.length > widest ? `${line.slice(0, widest - 1)}…` : line)
  }

  space(): void {
    this.#write('')
  }

  end(text: string): void {
    this.#write(`\n${this.#style('bold', text)}\n`)
    for (const line of whereToNext) this.say(line)
  }

  #style(style: Style, text: string): string {
    return this.#hasColors ? styleText(style, text, { validateStream: false }) : text
  }

  #write(line: string): void {
    if (!this.#signal.aborted) process.stdout.write(`${line}\n`)
  }
}
