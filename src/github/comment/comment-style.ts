/** Escapes texts in the comment on a pull request. */
import type { MarkdownStyle } from '#base/render-markdown'
import { renderCode, renderCodeLine, renderWords, visibleText } from './plain-code.ts'

/**
 * @param redact removes known secrets. It runs twice: removing invisible characters may join two halves of a secret
 * @param room characters; GitHub's limit for a comment is 65,536
 */
export function commentStyle(redact: (text: string) => string, room: number): MarkdownStyle {
  const clean = (text: string) => redact(visibleText(redact(text)))
  return {
    words: text => renderWords(clean(text)),
    code: text => renderCode(clean(text)),
    codeLine: text => renderCodeLine(redact(renderCodeLine(redact(text)))),
    most: 10,
    room,
    rest: 'The rest is in the summary.',
  }
}
