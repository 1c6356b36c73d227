/** Tests the section of the comment about the database. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { renderCode } from '#github/comment/comment-style'
import type { PreviewReport } from '#preview/base/github'
import { defaultSettings } from '../simulator/default-settings.ts'
import { renderPreview } from './support/preview-section.ts'

const runUrl = 'https://github.com/octo-org/shop/actions/runs/42/attempts/1'
const now = Date.parse('2026-01-31T12:00:00Z')
const name = 'preview-pr-7-0a1b2c3d'

const settings = { ...defaultSettings.preview, maxAge: 14 * 86_400_000 }

const commit = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'

const full: Omit<PreviewReport, 'state'> = {
  name,
  serviceId: 'abc123',
  host: 'abc123.project.db.example',
  port: 5432,
  database: 'tsdb',
  user: 'tsdbadmin',
  url: 'postgresql://tsdbadmin@abc123.project.db.example:5432/tsdb?sslmode=require',
  status: 'READY',
  commit,
  data: 'now',
  parentId: 'shop',
  createdAt: '2026-01-31T10:39:00Z',
}

const show = (changes: Partial<PreviewReport> = {}) =>
  renderPreview({ ...full, state: 'ready', ...changes }, runUrl, now)

describe('the comment', () => {
  it('of a ready preview is a table of its state and a command; the rest is folded', () => {
    expect(
      renderPreview({ ...full, state: 'ready' }, runUrl, now, undefined, { settings }),
    ).toBe(`### 🟢 Preview database ready

| Database | Data | Expires |
|---|---|---|
| \`preview-pr-7\` | \`shop\` as of 2026-01-31 10:39 UTC | 2026-02-14 10:39 UTC |

\`\`\`sh
npx --no managed-database-action connect abc123 'postgresql://tsdbadmin@abc123.project.db.example:5432/tsdb?sslmode=require'
\`\`\`

Run the command in a checkout of the action, after \`npm ci\`. It asks for \`password_secret\`.

<details><summary>Details</summary>

| name | \`preview-pr-7-0a1b2c3d\` |
|---|---|
| service id | \`abc123\` |
| status | \`READY\` |

A job of this repository gets the connection, password included, from a step with \`operation: get-connection\`.

</details>

<sub>commit 0a1b2c3 · updated 2026-01-31 12:00 UTC · [log](${runUrl})</sub>`)
  })

  it('names the secret key if the workflow sets no password_secret', () => {
    const more = { hasPasswordSecret: false }
    expect(renderPreview({ ...full, state: 'ready' }, runUrl, now, undefined, more)).toContain(
      '`npm ci`. It asks for the secret key, because your workflow sets no `password_secret`.',
    )
  })

  it.each(['README.md', 'docs/connecting.md'])('has the command that %s shows', file => {
    const page = readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')
    const [shown, packageSource, serviceId, url] =
      /^npx (github:\S+#v1) connect (\w+) '(\S+)'$/m.exec(page) ?? []
    const report = { ...full, state: 'ready', serviceId, url } as const
    expect(shown).toBeDefined()
    expect(renderPreview(report, runUrl, now, packageSource)).toContain(`\n${shown}\n`)
  })

  it('shows the masked column, its stored values, and the meaning of the comment', () => {
    const explanation = 'https://github.com/acme/managed-database-action/blob/v1/docs/previews.md#the-comment'
    const report = { ...full, state: 'ready', maskedAt: now, stored: '35 MB' } as const
    const body = renderPreview(report, runUrl, now, undefined, { explanation })
    expect(body).toContain(
      '| `preview-pr-7` · 35 MB stored | `shop`, **masked** 2026-01-31 12:00 UTC | when the pull request closes |',
    )
    expect(body).toContain(` · [what this comment means](${explanation})</sub>`)
  })

  it('shows no address in a public repository', () => {
    const source = 'github:acme/managed-database-action#v1'
    const hide = (of: string) =>
      renderPreview({ ...full, name: of, state: 'ready' }, runUrl, now, source, { isPublic: true })
    expect(hide(name)).toContain(`\`\`\`sh\nnpx ${source} connect --pull-request 7\n\`\`\``)
    expect(hide('shop-pr-7-0a1b2c3d')).toContain('connect --pull-request 7 --name-prefix shop\n')
    expect(hide(name)).not.toMatch(/db\.example|5432|tsdbadmin/)
  })

  it('shows the connect command if npm finds the action, with its size and its page in the console', () => {
    const source = 'github:acme/managed-database-action#v1'
    const report = {
      ...full,
      state: 'ready',
      size: '0.5 CPU, 2 GB',
      consoleUrl: 'https://console.cloud.tigerdata.com/dashboard/services/abc123',
    } as const
    const body = renderPreview(report, runUrl, now, source)
    expect(body).toContain(`\n| [preview-pr-7](${report.consoleUrl}) · 0.5 CPU, 2 GB | \`shop\` as of `)
    expect(body).toContain(`**Connect:** [open in Tiger Console](${report.consoleUrl}), or run\n`)
    expect(body).toContain(`\`\`\`sh\nnpx ${source} connect abc123 '${full.url}'\n\`\`\``)
    expect(body).not.toMatch(/psql|checkout/)
  })

  it.each([
    ['github:acme/action#$(id)', {}, `npx --no managed-database-action connect abc123 '${full.url}'`],
    ['github:acme/action', { serviceId: "a'b" }, `psql '${full.url}'`],
  ])('omits a part of the command with shell characters: %s %j', (source, changes, command) => {
    const body = renderPreview({ ...full, ...changes, state: 'ready' }, runUrl, now, source)
    expect(body).toContain(`\n${command}\n`)
  })

  it('has the parts of the address if there is no line to copy', () => {
    const body = show({ url: 'postgresql://$(id)@db' })
    expect(body).toContain(`| host | \`abc123.project.db.example\` |
| port | \`5432\` |
| database | \`tsdb\` |
| user | \`tsdbadmin\` |
`)
  })

  it('of a paused preview has the time of the pause and the way to start it', () => {
    const body = show({ state: 'paused', status: 'PAUSED' })
    expect(body).toContain('### 🔵 Preview database is paused\n')
    expect(body).toMatch(/\n\nIt was unused\. Its storage is billed while it is paused\. .*\n\n<details>/)
    expect(body).not.toContain('psql')
  })

  it.each([
    ['preview-pr-7-0a1b2c3d', 'Preview database ready'],
    ['shop-pr-7-0a1b2c3d', 'Preview database `shop` ready'],
    ['a-pr-1-00000000-pr-7-0a1b2c3d', 'Preview database `a-pr-1-00000000` ready'],
    ['what is of no grammar', 'Preview database ready'],
  ])('of %s has the heading %s', (of, heading) => {
    expect(show({ name: of }).split('\n')[0]).toBe(`### 🟢 ${heading}`)
  })

  it.each(['ready', 'paused'] as const)(
    'has the prefix in the inputs of a connecting step if it is %s',
    state => {
      const inputs = 'a step with `operation: get-connection` and `name_prefix: shop`'
      expect(show({ state, name: 'shop-pr-7-0a1b2c3d' })).toContain(inputs)
      expect(show({ state })).not.toContain('name_prefix')
    },
  )

  it('shows why a preview failed, and one instruction', () => {
    const problem = 'no `snapshot`\nof @parent'
    expect(
      renderPreview({ state: 'failed', name, problem, next: 'wait a `minute`' }, runUrl, now),
    ).toBe(`### 🔴 Preview database failed

| Database |
|---|
| \`preview-pr-7\` |

**Why:** \`no 'snapshot' of @parent\`

**What to do:** \`wait a 'minute'\`

<details><summary>Details</summary>

| name | \`preview-pr-7-0a1b2c3d\` |
|---|---|
| state | failed |

</details>

<sub>updated 2026-01-31 12:00 UTC · [log](${runUrl})</sub>`)
  })

  test.each<[PreviewReport['state'], string]>([
    ['creating', '🟡 Preview database is being created'],
    ['deleted', '⚪ Preview database was deleted'],
  ])('shows first that it is %s', (state, shown) => {
    const body = renderPreview({ state, name }, runUrl, now)
    expect(body.split('\n')[0]).toBe(`### ${shown}`)
    expect(body).toContain(`\n<sub>updated 2026-01-31 12:00 UTC · [log](${runUrl})</sub>`)
  })

  test.each<[string, Partial<PreviewReport>, string | undefined]>([
    ['data of its creation', {}, '`shop` as of 2026-01-31 10:39 UTC'],
    [
      'data of the last snapshot',
      { data: 'snapshot' },
      '`shop` as of its last snapshot before 2026-01-31 10:39 UTC',
    ],
    ['data that an earlier run took', { data: 'unknown' }, '`shop` as of 2026-01-31 10:39 UTC or earlier'],
    ['data of an unknown moment', { createdAt: 'yesterday' }, '`shop`'],
    [
      'a snapshot of an unknown moment',
      { data: 'snapshot', createdAt: undefined },
      '`shop` as of its last snapshot',
    ],
    ['no data', { data: 'empty', parentId: undefined }, 'empty, created 2026-01-31 10:39 UTC'],
    ['no data of an unknown moment', { data: 'empty', parentId: undefined, createdAt: undefined }, 'empty'],
    ['nothing where it is not known', { data: undefined }, undefined],
  ])('explains %s', (_, origin, words) => {
    const cells =
      show({ ...origin, commit: undefined })
        .split('\n')[4]
        ?.split(' | ') ?? []
    expect(cells.slice(1, -1)).toEqual(words === undefined ? [] : [words])
  })

  test.each([
    'postgresql://tsdbadmin@db.example:5432/tsdb?sslmode=require;id',
    "postgresql://tsdbadmin@db.example:5432/'tsdb'",
    'postgresql://tsdbadmin@db.example:5432/tsdb\n```\n# Evil',
    'postgresql://$(id)@db.example:5432/tsdb',
    'postgresql://***@db.example:5432/tsdb',
    'https://tsdbadmin@db.example',
    '',
  ])('has no line to copy if the address is %j', url => {
    expect(show({ url })).not.toContain('psql')
  })

  test.each(['0a1b2c3', `${commit} @team`, commit.toUpperCase(), '', `${commit}0`])(
    'has no commit if it is %j',
    text => {
      expect(show({ commit: text })).not.toContain('commit')
    },
  )

  test.each(['creating', 'failed', 'deleted'] as const)('has no connection while %s', state => {
    const body = show({ state })
    expect(body).toContain('Preview database ')
    expect(body).not.toContain('get-connection')
    expect(body).not.toContain('psql')
  })

  test.each([
    ['https://git.example:8443/octo-org/shop/actions/runs/42', true],
    ['http://git.example/octo.org/my_shop/actions/runs/42', true],
    ['', false],
    ['javascript:alert(1)', false],
    ['https://user@git.example/runs/42', false],
    ['https://git.example/runs/42) [more](https://evil.example/', false],
    ['https://git.example/runs/42?x=|', false],
    ['https://git.example/runs/<b>', false],
    ['//git.example/runs/42', false],
  ])('links the run %j: %s', (url, linked) => {
    const body = renderPreview({ state: 'ready', name }, url, now)
    expect(body.includes('[log]')).toBe(linked)
    if (!linked && url !== '') expect(body).not.toContain(url)
  })
})

describe('a value in code', () => {
  test.each([
    ['db.example', '`db.example`'],
    ['a `b` c', "`a 'b' c`"],
    ['``', "`''`"],
    ['a | b', '`a ¦ b`'],
    ['<!-- x -->', '`‹!-- x --›`'],
    ['a\r\n\u2028b\tc', '`a b c`'],
    [' a ', '`a`'],
    ['a\u202e\u200b\u0000b', '`ab`'],
    ['a\ud800b', '`ab`'],
    ['größer 数 👍', '`größer 数 👍`'],
    ['&lt; \\ *', '`&lt; \\ *`'],
    ['', '`–`'],
    ['\n\u200b', '`–`'],
  ])('%j is %s', (text, code) => {
    expect(renderCode(text)).toBe(code)
  })

  test('is cut to a readable length', () => {
    expect(renderCode('x'.repeat(501))).toBe(`\`${'x'.repeat(500)}…\``)
    expect(renderCode('👍'.repeat(500))).toBe(`\`${'👍'.repeat(500)}\``)
    expect(renderCode('👍'.repeat(5000))).toBe(`\`${'👍'.repeat(500)}…\``)
  })
})
