/** Writes simultaneous lines together: one write takes longer than answering a request. */
export class LineLog {
  readonly #write: (text: string) => void
  #waiting = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  add(line: string): void {
    if (this.#waiting === '') setImmediate(() => this.flush())
    this.#waiting += line
  }

  flush(): void {
    if (this.#waiting !== '') this.#write(this.#waiting)
    this.#waiting = ''
  }
}
