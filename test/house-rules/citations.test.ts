/** Tests the citations of documents in comments. */
import { expect, test } from 'vitest'
import { findDeadCitations } from './citations.ts'
import { everySource, readSources } from './read-sources.ts'

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
