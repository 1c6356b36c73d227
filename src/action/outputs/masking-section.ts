import type { Masking } from '../../operations/base/contents.ts'
import { renderFolded } from './folded.ts'

/** How many names of a list are shown: GitHub takes a summary of 1 MiB. */
const mostNames = 500

/** What was masked and searched, as parts of a summary. `cell` makes any text harmless. */
export function renderMaskingSection(masking: Masking | undefined, cell: (text: string) => string): string[] {
  if (masking === undefined) return []
  const lists = masking.lists.map(({ title, names }) => {
    const more = names.length > mostNames ? [`- and ${names.length - mostNames} more`] : []
    const lines = [...names.slice(0, mostNames).map(name => `- ${cell(name)}`), ...more]
    return renderFolded(`${title}: ${names.length}`, lines.join('\n'))
  })
  return [`Masked: ${cell(masking.summary)}`, ...lists]
}
