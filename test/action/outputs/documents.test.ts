/** Tests documents against the outputs. */
import { expect, test } from 'vitest'
import { linkDocuments } from '#action/outputs/documents'

const repository = { GITHUB_ACTION_REPOSITORY: 'acme/managed-database-action', GITHUB_ACTION_REF: 'v1.2.0' }
const github = { GITHUB_SERVER_URL: 'https://github.com' }
const enterprise = { GITHUB_SERVER_URL: 'https://github.acme.example' }
const text = 'raise the limit (docs/migrations.md)'

test.each<[string, NodeJS.ProcessEnv, string, string]>([
  [
    'on github.com',
    { ...repository, ...github },
    text,
    'raise the limit (https://github.com/acme/managed-database-action/blob/v1.2.0/docs/migrations.md)',
  ],
  [
    'at a ref that is none',
    { ...repository, ...github, GITHUB_ACTION_REF: 'v1 ::error::' },
    text,
    'raise the limit (https://github.com/acme/managed-database-action/blob/HEAD/docs/migrations.md)',
  ],
  [
    'on another server, which may run actions of github.com',
    { ...repository, ...enterprise },
    text,
    'raise the limit (docs/migrations.md of acme/managed-database-action)',
  ],
  ['of a local action', github, text, text],
  ['that is a file of the user', { ...repository, ...github }, 'my/docs/masking.md', 'my/docs/masking.md'],
])('a document %s', (_, environment, given, expected) => {
  expect(linkDocuments(given, environment)).toBe(expected)
})
