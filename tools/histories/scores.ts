/** Counts how often each checker is right, warns falsely, or misses an effect. */
const questions = { lost: 'data lost', rewritten: 'table rewritten', locks: 'locks' }

export type Question = keyof typeof questions

export class Scores {
  readonly #scores = new Map<string, { right: number; wrong: number; missed: number }>()

  /** Counts an answer of a checker. Returns how it differs from the truth; undefined if it does not. */
  add(checker: string, question: Question, found: boolean, isTrue: boolean): 'wrong' | 'missed' | undefined {
    if (!isTrue && !found) return undefined
    const difference = isTrue ? 'missed' : 'wrong'
    const outcome = isTrue && found ? 'right' : difference
    const finding = `${checker}: ${questions[question]}`
    const score = this.#scores.get(finding) ?? { right: 0, wrong: 0, missed: 0 }
    this.#scores.set(finding, { ...score, [outcome]: score[outcome] + 1 })
    return outcome === 'right' ? undefined : outcome
  }

  /** The findings with `right / false / missed` of each. */
  render(): string[][] {
    const rows = [...this.#scores].sort()
    return rows.map(([finding, { right, wrong, missed }]) => [finding, `${right}/${wrong}/${missed}`])
  }
}
