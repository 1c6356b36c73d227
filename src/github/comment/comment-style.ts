/** How texts are escaped in the comment on a pull request. */
import type { MarkdownStyle } from '../../base/render-markdown.ts'
import { renderCode, renderCodeLine, renderWords, visibleText } from './plain-code.ts'

/** Links only to runs of the repository itself: an address may come from a note in the database, which code of the pull request can change. */
function linkTo(url: string, runUrl: string): string | undefined {
  const [runs] = /^https?:\/\/[\w.:-]+(?:\/[\w.-]+)+\/actions\/runs\//.exec(runUrl) ?? []
  const isOurs =
    runs !== undefined && url.startsWith(runs) && /^\d+(?:\/attempts\/\d+)?$/.test(url.slice(runs.length))
  return isOurs ? `[log](${url})` : undefined
}

/**
 * @param runUrl the page of this run
 * @param redact removes known secrets. It runs twice: removing invisible characters may join two halves of a secret
 * @param room characters; GitHub takes a comment of 65,536
 */
export function commentStyle(runUrl: string, redact: (text: string) => string, room: number): MarkdownStyle {
  const clean = (text: string) => redact(visibleText(redact(text)))
  return {
    words: text => renderWords(clean(text)),
    code: text => renderCode(clean(text)),
    codeLine: text => renderCodeLine(redact(renderCodeLine(redact(text)))),
    log: url => linkTo(url, runUrl),
    most: 10,
    room,
    rest: 'The rest is in the summary.',
  }
}
