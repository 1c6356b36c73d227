import { renderMigrations } from '../../contents/rehearsal/result/render-migrations.ts'
import type { ShownMigrations } from '../../preview/base/github.ts'
import { renderBlock, renderCode, renderWords, visibleLines, visibleText } from './plain-code.ts'
import { renderShownLoss } from './sections.ts'

/** Characters of the section: with the other one, the comment stays below 60,000. */
const room = 36_000

/** Links only to runs of the repository itself, whatever was kept in the database. */
function linkTo(url: string | undefined, runUrl: string): string | undefined {
  const [runs] = /^https?:\/\/[\w.:-]+(?:\/[\w.-]+)+\/actions\/runs\//.exec(runUrl) ?? []
  const isOurs =
    runs !== undefined && url?.startsWith(runs) && /^\d+(?:\/attempts\/\d+)?$/.test(url.slice(runs.length))
  return isOurs ? `[log](${url})` : undefined
}

/**
 * The section of a preview's comment on its migrations. What was kept in the database, where code of the pull request may
 * have changed it, stands in code as all else does.
 *
 * @param redact takes known secrets out; also where only invisible characters hide them
 */
export function renderMigrationsSection(
  { loss, ...report }: ShownMigrations,
  runUrl: string,
  redact: (text: string) => string,
): string {
  const shown = renderMigrations(report, {
    room,
    words: text => renderWords(redact(visibleText(redact(text)))),
    code: text => renderCode(redact(visibleText(redact(text)))),
    block: text => renderBlock(redact(visibleLines(redact(text)))),
    link: url => linkTo(url, runUrl),
  })
  return loss === undefined ? shown : `${renderShownLoss(loss)}\n${shown}`
}
