/** Tests the citations of documents in comments. */
import { expect, test } from 'vitest'
import { commentsOf, lineAt } from '../support/parse-source.ts'
import type { Sources } from './check-imports.ts'
import { everySource, readSources } from './read-sources.ts'

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
function findDeadCitations(sources: Sources, documents: Sources): string[] {
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

test('every comment that cites a document leads to a heading of it', () => {
  expect(findDeadCitations(readSources(everySource), readSources('docs/**/*.md'))).toEqual([])
})

const documents = new Map([['docs/internals/api.md', '# The API\n\n## Ids\n\n```sh\n# Install\n```\n']])
const find = (source: string) => findDeadCitations(new Map([['src/x.ts', source]]), documents)

test.each([
  '// An id (docs/internals/api.md, "Ids").',
  '/** See docs/internals/api.md. */',
  '/**\n * An id (docs/internals/api.md,\n * "Ids").\n */\nconst a = 1',
  'const text = \'docs/internals/api.md, "Nowhere"\'',
  '// A redesign of the API.',
  'const text = "DESIGN rule 1"',
])('%j leads somewhere', source => {
  expect(find(source)).toEqual([])
})

test.each<[source: string, problem: string]>([
  [
    'const a = 1\n\n// An id (docs/internals/api.md, "Names").',
    'src/x.ts:3 cites docs/internals/api.md, "Names", which has no such heading',
  ],
  [
    '/** One. */\nconst a = 1 /* docs/internals/api.md, "Install" */',
    'src/x.ts:2 cites docs/internals/api.md, "Install", which has no such heading',
  ],
  ['/**\n * docs/nowhere.md, "Ids"\n */', 'src/x.ts:1 cites docs/nowhere.md, which does not exist'],
  [
    '// docs/internals/api.md,\n// "ids"',
    'src/x.ts:1 cites docs/internals/api.md, "ids", which has no such heading',
  ],
  [
    '\n// Gone for certain (DESIGN\n// rule 4).',
    'src/x.ts:2 cites DESIGN, which is not in the repository: give the reason, or a heading of docs/',
  ],
  [
    '/** See API.md. */',
    'src/x.ts:1 cites API.md, which is not in the repository: give the reason, or a heading of docs/',
  ],
])('%j leads nowhere', (source, problem) => {
  expect(find(source)).toEqual([problem])
})
