/** Finds citations of missing headings. */
import { commentsOf, lineAt } from '../support/parse-source.ts'
import type { Sources } from './check-imports.ts'

/** The path of a document and, after a comma, the heading of a section in quotes. Without one, all of it is cited. */
const citation = /(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g

/** The headings of a document, without lines in code blocks. */
function headingsOf(document: string): string[] {
  const prose = document.replace(/^```.*?^```$/gms, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim())
}

/** How comments once cited texts that are not in the repository. */
const outdated = /\bDESIGN\b|\bAPI\.md\b/

/** A block of comments as one line, so that a citation may be broken where the line is. */
const joinLines = (comments: string) => comments.replace(/\n\s*(?:\/\/|\*(?!\/))?\s*/g, ' ')

/**
 * The citations in comments that lead nowhere, a sentence each.
 *
 * @param documents by their path, such as docs/internals/api.md
 */
export function findDeadCitations(sources: Sources, documents: Sources): string[] {
  // Reading the comments of a file takes much longer than searching the whole of it.
  const citing = [...sources].filter(([, source]) => source.search(citation) >= 0 || outdated.test(source))
  return citing.flatMap(([file, source]) =>
    commentsOf(source).flatMap(({ text, start }) => {
      const place = `${file}:${lineAt(source, start)}`
      return findFlaws(joinLines(text), documents).map(flaw => `${place} cites ${flaw}`)
    }),
  )
}

function findFlaws(comments: string, documents: Sources): string[] {
  const [old] = outdated.exec(comments) ?? []
  return [
    ...(old ? [`${old}, which is not in the repository: give the reason, or a heading of docs/`] : []),
    ...[...comments.matchAll(citation)].flatMap(([, document = '', section]) => {
      const flaw = describeFlaw(documents.get(document), section)
      return flaw ? [`${document}, ${flaw}`] : []
    }),
  ]
}

function describeFlaw(document: string | undefined, section: string | undefined): string | undefined {
  if (document === undefined) return 'which does not exist'
  if (section === undefined || headingsOf(document).includes(section)) return undefined
  return `"${section}", which has no such heading`
}
