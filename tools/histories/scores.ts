/** Counts how often each checker is right, warns falsely, or misses an effect. */
import { keysOf } from '#base/table'
import { linters } from './linters.ts'

const checkers = ['rehearse-migration', ...keysOf(linters)] as const
type Checker = (typeof checkers)[number]

const questions = { lost: 'data lost', rewritten: 'table rewritten', locks: 'locks' }
type Question = keyof typeof questions

/** The columns of the table. A linter has no rule for some questions. */
const columns = checkers.flatMap(checker =>
  keysOf(questions)
    .filter(question => checker === 'rehearse-migration' || linters[checker][question].length > 0)
    .map(question => ({ checker, question })),
)

export const headings = columns.map(({ checker, question }) => `${checker}: ${questions[question]}`)

interface Score {
  right: number
  wrong: number
  missed: number
}

export class Scores {
  readonly #total: Scores | undefined
  readonly #scores = new Map<string, Score>()

  /** `total`: counts the same. */
  constructor(total?: Scores) {
    this.#total = total
  }

  #of(checker: Checker, question: Question): Score {
    const key = `${checker} ${question}`
    const score = this.#scores.get(key) ?? { right: 0, wrong: 0, missed: 0 }
    this.#scores.set(key, score)
    return score
  }

  /** Returns the word for a difference from the truth. */
  add(checker: Checker, question: Question, found: boolean, isTrue: boolean): 'wrong' | 'missed' | undefined {
    const outcome = isTrue ? (found ? 'right' : 'missed') : found ? 'wrong' : undefined
    if (outcome === undefined) return undefined
    this.#total?.add(checker, question, found, isTrue)
    this.#of(checker, question)[outcome]++
    return outcome === 'right' ? undefined : outcome
  }

  /** `right / false / missed` of each column. */
  render(): string[] {
    return columns.map(({ checker, question }) => {
      const { right, wrong, missed } = this.#of(checker, question)
      return `${right}/${wrong}/${missed}`
    })
  }
}
