import {
  type QuarantineReport,
  renderDetails,
  renderQuarantine,
  renderTroubles,
} from '../../contents/quarantine/report.ts'
import { renderFolded } from './folded.ts'

/** What a quarantine made harmless, and what it could not, as parts of a summary. `cell` makes any text harmless. */
export function renderQuarantineSection(
  report: QuarantineReport | undefined,
  cell: (text: string) => string,
): string[] {
  if (report === undefined) return []
  const asList = (lines: string[]) => lines.map(line => `- ${cell(line)}`).join('\n')
  const details = renderDetails(report)
  return [
    `Quarantined: ${cell(renderQuarantine(report))}`,
    asList(renderTroubles(report)),
    details.length > 0 ? renderFolded('What was quarantined', asList(details)) : '',
  ]
}
