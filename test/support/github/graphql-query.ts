/** A field that a query selects, with the values of its arguments. */
export interface Selected {
  /** Under which the answer has it. */
  alias: string
  name: string
  given: Record<string, unknown>
  /** Undefined where it selects nothing of the field's value. */
  selection: Selected[] | undefined
}

const grammar = /[\s,]*(\.\.\.|[{}():!$[\]]|\d+|\w+|$)/y

/** Reads the small part of GraphQL that the action writes; throws for anything else. */
class Reader {
  #at = 0
  readonly #tokens: string[] = []
  readonly #variables: Record<string, unknown>
  readonly #fragments = new Map<string, Selected[]>()

  constructor(text: string, variables: Record<string, unknown>) {
    this.#variables = variables
    grammar.lastIndex = 0
    for (;;) {
      const { lastIndex } = grammar
      const token = grammar.exec(text)?.[1]
      if (token === undefined)
        throw new Error(`Parse error on ${JSON.stringify(text.slice(lastIndex, lastIndex + 9))}`)
      if (token === '') return
      this.#tokens.push(token)
    }
  }

  #take(expected: RegExp): string {
    const token = this.#tokens[this.#at++] ?? 'the end'
    if (!expected.test(token)) throw new Error(`Parse error on "${token}", expecting ${expected}`)
    return token
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at++
    return true
  }

  /** A variable, a number, or a list of words: `[ISSUE_COMMENT]`. */
  #value(): unknown {
    if (this.#takes('[')) {
      const words: string[] = []
      while (!this.#takes(']')) words.push(this.#take(/^[A-Z_]+$/))
      return words
    }
    if (!this.#takes('$')) return Number(this.#take(/^\d+$/))
    const name = this.#take(/^[a-z]\w*$/)
    if (!(name in this.#variables)) throw new Error(`Variable $${name} was provided invalid value`)
    return this.#variables[name]
  }

  #given(): Record<string, unknown> {
    const given: Record<string, unknown> = {}
    while (!this.#takes(')')) {
      const name = this.#take(/^[a-z]\w*$/)
      this.#take(/^:$/)
      given[name] = this.#value()
    }
    return given
  }

  #field(): Selected {
    const first = this.#take(/^[a-z]\w*$/i)
    const name = this.#takes(':') ? this.#take(/^[a-z]\w*$/i) : first
    const given = this.#takes('(') ? this.#given() : {}
    return { alias: first, name, given, selection: this.#takes('{') ? this.#selection() : undefined }
  }

  #selection(): Selected[] {
    const fields: Selected[] = []
    while (!this.#takes('}')) {
      if (this.#takes('...')) fields.push(...this.#spread())
      else fields.push(this.#field())
    }
    return fields
  }

  /** `... on IssueComment { id }` or `...facts`. The fake has one type wherever the action spreads a fragment. */
  #spread(): Selected[] {
    if (!this.#takes('on')) return this.#fragment(this.#take(/^\w+$/))
    this.#take(/^IssueComment$/)
    this.#take(/^\{$/)
    return this.#selection()
  }

  /** Fragments stand after the query: they are read where they are used. */
  #fragment(name: string): Selected[] {
    const known = this.#fragments.get(name)
    if (known) return known
    const start = this.#tokens.findIndex(
      (token, index) => token === 'fragment' && this.#tokens[index + 1] === name,
    )
    if (start < 0) throw new Error(`Fragment ${name} was used, but not defined`)
    const back = this.#at
    this.#at = start + 2
    this.#take(/^on$/)
    this.#take(/^PullRequest$/)
    this.#take(/^\{$/)
    const fields = this.#selection()
    this.#at = back
    this.#fragments.set(name, fields)
    return fields
  }

  read(): Selected[] {
    if (this.#takes('query')) {
      this.#take(/^\($/)
      while (!this.#takes(')')) {
        this.#take(/^\$$/)
        this.#take(/^[a-z]\w*$/)
        this.#take(/^:$/)
        const isList = this.#takes('[')
        this.#take(isList ? /^ID$/ : /^String$/)
        this.#take(/^!$/)
        if (isList) for (const part of [/^\]$/, /^!$/]) this.#take(part)
      }
    }
    this.#take(/^\{$/)
    return this.#selection()
  }
}

/** The fields of a query. */
export const parseQuery = (text: string, variables: Record<string, unknown>): Selected[] =>
  new Reader(text, variables).read()
