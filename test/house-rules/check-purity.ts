import { lineAt, tokensOf } from '../../tools/source/tokens.ts'
import type { Sources } from './check-imports.ts'

/** What is there without an import: clocks, timers, the network, the environment, chance. */
const globals = new Set([
  ...['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance'],
  ...['process', 'console', 'crypto', 'WebSocket'],
])

/** Dates and chance of the system. `Date` and `Math` themselves are harmless: only the source from there on tells. */
const systemCalls = /^(?:Date\.now\b|new Date\(\)|new Date[;\n,)]|Math\.random\b)/

/** Where files reach past what they are given, a sentence each. */
export function checkPurity(sources: Sources): string[] {
  return [...sources].flatMap(([file, source]) => {
    const tokens = [...tokensOf(source)]
    return tokens.flatMap(({ text, start }, index) => {
      const [before, after] = [tokens[index - 1]?.text, tokens[index + 1]?.text]
      // A field, a parameter or a property of that name is something else.
      const isGlobal = before !== '.' && before !== '?.' && after !== ':' && globals.has(text)
      if (!isGlobal && !systemCalls.test(source.slice(start, start + 12))) return []
      return [
        `${file}:${lineAt(source, start)} uses ${text}: its room is pure, and is given clock, chance and network`,
      ]
    })
  })
}
