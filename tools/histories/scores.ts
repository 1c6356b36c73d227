/** Counts how often each checker is right, warns falsely, or misses an effect. */
import { linters } from './linters.ts'

export const checkers = ['rehearse-migration', ...Object.keys(linters)] as const
export const questions = ['lost', 'rewritten', 'locks'] as const
type Question = (typeof questions)[number]

interface Score {
  right: number
  wrong: number
  missed: number
}

export class Scores {
  readonly #scores = new Map<string, Score>()

  #of(checker: string, question: Question): Score {
    const key = `${checker} ${question}`
    const score = this.#scores.get(key) ?? { right: 0, wrong: 0, missed: 0 }
    this.#scores.set(key, score)
    return score
  }

  /** Returns the word for a difference from the truth. */
  add(checker: string, question: Question, found: boolean, isTrue: boolean): 'wrong' | 'missed' | undefined {
    const outcome = isTrue ? (found ? 'right' : 'missed') : found ? 'wrong' : undefined
    if (outcome === undefined) return undefined
    this.#of(checker, question)[outcome]++
    return outcome === 'right' ? undefined : outcome
  }

  /** `right / false / missed`; a dash for a question that the checker does not answer. */
  render(checker: string, question: Question): string {
    const score = this.#scores.get(`${checker} ${question}`)
    return score ? `${score.right} / ${score.wrong} / ${score.missed}` : '–'
  }
}
