/** Tests the section of the comment about migrations. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { renderMarkdown } from '#base/render-markdown'
import { capRun } from '#contents/rehearsal/result/history'
import type { ShownLoss } from '#contents/rehearsal/result/losses'
import { type MigrationsReport, reportMigrations, reportRehearsal } from '#contents/rehearsal/result/report'
import { commentStyle, renderWords } from '#github/comment/comment-style'
import { renderShownLoss, replaceSection } from '#github/comment/sections'
import {
  blocked,
  dropped,
  harmful,
  rehearsal,
  rewriting,
  run,
  statement,
} from '../contents/rehearsal/rehearsals.ts'
import { anyText } from '../support/any-text.ts'
import { thoroughness } from '../support/thoroughness.ts'
import { renderPreview } from './support/preview-section.ts'

const runUrl = 'https://github.com/octo-org/shop/actions/runs/42/attempts/1'
const commit = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'
type ShownMigrations = Omit<MigrationsReport, 'runUrl'> & { loss?: ShownLoss }
const render = ({ loss, ...report }: ShownMigrations, redact = (text: string) => text) =>
  [
    ...(loss ? [renderShownLoss(loss)] : []),
    renderMarkdown(reportMigrations({ ...report, runUrl }), commentStyle(redact, 36_000)),
  ].join('\n')

describe('the migrations section', () => {
  it('has the exceeded limits, the waits and the losses', () => {
    const text = render({
      runs: [
        run({ migrationHash: 'b'.repeat(64) }, { commit: '1'.repeat(40) }),
        run(harmful(), { commit, url: runUrl }),
      ],
      diff: { added: 1, removed: 1, changed: 0, text: '+ table public.totals\n- column orders.note' },
    })
    expect(text).toMatchInlineSnapshot(`
      "### ❌ Migration: writes to \`orders\` blocked for 42 s (limit 2 s)

      |  | statement | effect |
      |---|---|---|
      | ❌ | [\`0042_total.sql:3\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0042_total.sql#L3) \`ALTER TABLE orders ADD COLUMN total numeric GENE…\` | writes to \`orders\` blocked for 42 s (limit 2 s), rewrites 18 GB<br>→ *Add the column without a default, set the default, and fill the rows in batches.* |
      | ❗ | \`orders.note\` | **data loss:** column orders.note dropped, about 1,204,000 values |
      | ❗ | [\`0043_coupons.sql:1\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0043_coupons.sql#L1) \`DELETE FROM coupons WHERE …\` | **data loss:** 3 rows deleted from coupons |
      | ⚠ | [\`0043_coupons.sql:1\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0043_coupons.sql#L1) \`DELETE FROM coupons WHERE …\` | reads of \`coupons\` blocked for 0.7 s (limit 0.5 s); ignored because nobody reads coupons at night |

      <details><summary>Schema: +1 −1 ~0</summary>

      \`\`\`diff
      + table public.totals
      - column orders.note
      \`\`\`

      </details>

      <details><summary>4 statements, locks and WAL</summary>

      | statement | time | lock | held | blocks | rewritten | WAL |
      |---|---|---|---|---|---|---|
      | [\`0042_total.sql:1\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0042_total.sql#L1) \`CREATE TYPE state …\` | 3ms | – | – | – | – | 0 B |
      | [\`0042_total.sql:3\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0042_total.sql#L3) \`ALTER TABLE orders ADD COLUMN total numeric GENE…\` | 42s | ACCESS EXCLUSIVE orders, 812 parts | 42s | reads, writes | 18 GB | 19 GB |
      | [\`0043_coupons.sql:1\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0043_coupons.sql#L1) \`DELETE FROM coupons WHERE …\` | 120ms | ACCESS EXCLUSIVE coupons | 700ms | reads, writes | – | 8.0 kB |
      | [\`0043_coupons.sql:9\`](https://github.com/octo-org/shop/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/db/migrations/0043_coupons.sql#L9) \`CREATE TABLE totals …\` | 3ms | – | – | – | – | 0 B |

      Without BEGIN, COMMIT, SET and reads. A lock is held to the end of its transaction.

      </details>

      <details><summary>Earlier runs: 1</summary>

      - ✅ commit 1111111 · 2026-01-31 12:00 UTC: within all limits

      </details>

      <details><summary>How this was measured</summary>

      Measured at 2026-01-31 04:10 UTC, PostgreSQL 17.6, without other traffic.

      - Queues behind locks and deadlocks cannot be measured.
      - WAL includes the writes of other sessions.
      - The migration took 43s, with 19 GB of WAL and 0 B of temporary files.

      </details>

      <sub>commit 0a1b2c3 · 2026-01-31 12:00 UTC · [log](https://github.com/octo-org/shop/actions/runs/42/attempts/1)</sub>"
    `)
  })

  test.each<[string, ShownMigrations, string]>([
    ['nothing was run', { runs: [] }, '### Migration: nothing was rehearsed'],
    ['all is well', { runs: [run()] }, '### ✅ Migration: within all limits'],
    [
      'data is lost within all limits',
      { runs: [run({ destructive: true, effects: [dropped] }), run()] },
      '### ❗ Migration: within all limits, but data is lost',
    ],
    [
      'the loss is approved',
      {
        runs: [run({ destructive: true, effects: [dropped] })],
        approval: { isApproved: true, message: 'octocat set the label ok' },
      },
      '### ✅ Migration: within all limits, and the loss of data is approved',
    ],
    [
      'the migration has an error',
      { runs: [run({ verdict: 'failed', problem: 'db/1.sql:3: syntax error' })] },
      '### ❌ Migration: failed: `db/1.sql:3: syntax error`',
    ],
    [
      'nothing was learnt',
      { runs: [run({ verdict: 'not measured', problem: 'the connection was lost' })] },
      '### ❔ Migration: not measured: the connection was lost',
    ],
    [
      'loss is not approved',
      {
        runs: [run({ destructive: true, effects: [dropped] })],
        approval: { isApproved: false, message: 'the label ok is not set', next: 'set it' },
      },
      '### ❌ Migration: data is lost without approval',
    ],
  ])('starts with the verdict if %s', (_, report, heading) => {
    expect(render(report).split('\n')[0]).toBe(heading)
  })

  it('keeps the cells narrow for phones: long names are cut in their middle', () => {
    const place = { file: 'db/20260131121500_change_the_type_of_reasons.sql', line: 17 }
    const text = `ALTER TABLE crm.order_line_item_price_adjustments ${rewriting.text}`
    const shown = render({ runs: [run({ statements: [{ ...rewriting, place, text }] })] })
    expect(shown).toContain(
      '| `2026013112…_reasons.sql:17` `ALTER TABLE crm.order_…ice_adjustments ALTER TAB…` |',
    )
  })

  it('names the folder of a file whose name a tool gives to all migrations', () => {
    const place = { file: 'prisma/migrations/20260131_total/migration.sql', line: 3 }
    expect(render({ runs: [run({ statements: [{ ...rewriting, place }] })] })).toContain(
      '| `20260131_total:3` ',
    )
  })

  it('shows unfinished objects with advice, and omits effects without loss', () => {
    const harmless = { ...dropped, destructive: false }
    const message = 'constraint positive is left NOT VALID, 2 rows of orders break it'
    const unfinished = {
      ...harmless,
      object: 'positive',
      message,
      advice: 'once no row breaks it, use VALIDATE',
    }
    const text = render({ runs: [run({ effects: [harmless, unfinished] })] })
    expect(text.match(/^\| . \|.*$/gm)).toEqual([
      `| ⚠ | \`positive\` | ${message}<br>→ *Once no row breaks it, use VALIDATE.* |`,
    ])
  })

  it('has the whole paths in a summary, since folders may have files with the same name', () => {
    const statements = ['1_add', '2_drop'].map(folder => ({
      ...rewriting,
      place: { file: `prisma/migrations/${folder}/migration.sql`, line: 1 },
    }))
    const shown = renderMarkdown(
      reportRehearsal(rehearsal({ statements })),
      commentStyle(one => one, 36_000),
    )
    expect(shown).toContain('| `prisma/migrations/1_add/migration.sql:1` `')
    expect(shown).toContain('| `prisma/migrations/2_drop/migration.sql:1` `')
  })

  it('reports a possible loss if nothing is known, and the number of omitted statements', () => {
    const problem = 'the connection was lost'
    const lost = render({ runs: [run({ verdict: 'not measured', problem, destructive: true })] })
    expect(lost).toContain('**Data:** it is unknown whether data is lost')
    const violations = Array.from({ length: 14 }, (_, index) => ({ ...blocked, statement: index }))
    const many = run({ statements: violations.map(() => rewriting), violations })
    expect(render({ runs: [many] })).toContain('\n\nAnd 4 more findings. The rest is in the summary.')
  })

  it('names the approver of the loss, or the next step', () => {
    const runs = [run({ destructive: true, effects: [dropped] })]
    const approved = { isApproved: true, message: 'octocat set the label ok' }
    expect(render({ runs, approval: approved })).toContain('**Approved:** octocat set the label ok\n')
    const refused = { isApproved: false, message: 'the label ok is not set', next: 'set it' }
    expect(render({ runs, approval: refused })).toContain(
      '**Not approved:** the label ok is not set — set it\n',
    )
  })

  it('starts with the hash of a loss that needs approval', () => {
    expect(render({ runs: [run()], loss: { hash: 'c'.repeat(64) } }).split('\n')[0]).toBe(
      `<!-- managed-database-action:migration:${'c'.repeat(64)} -->`,
    )
  })

  it('shows only the schema if there was no rehearsal', () => {
    const diff = { added: 1, removed: 0, changed: 0, text: '+ table public.totals' }
    expect(render({ runs: [], diff })).toContain(
      '<summary>Schema: +1 −0 ~0</summary>\n\n```diff\n+ table public.totals\n```\n',
    )
  })

  it('contains no known secret, even if invisible characters hide it', () => {
    const problem = 'refused hush-\u200bhush'
    const diff = { added: 1, removed: 0, changed: 0, text: "+ default 'hush-hush'" }
    const text = render({ runs: [run({ problem })], diff }, given => given.replaceAll('hush-hush', '***'))
    expect(text).not.toContain('hush')
    expect(text.split('***')).toHaveLength(3)
  })

  it('lists no statement that only reads, but one whose function took a lock', () => {
    const read = statement({ text: 'SELECT name FROM _migrations' })
    const locks = rewriting.locks.map(lock => ({ ...lock, mode: 'SHARE UPDATE EXCLUSIVE', blocks: [] }))
    const call = statement({ text: 'SELECT add_retention_policy(…)', locks })
    const shown = render({ runs: [run({ statements: [read, call, rewriting] })] })
    expect(shown).toContain('<summary>2 statements, locks and WAL</summary>')
    expect(shown).not.toContain('_migrations')
  })

  it('names three locks of a statement: first the one that blocks the most, then those held the longest', () => {
    const [lock] = rewriting.locks
    const others = ['b', 'c', 'd'].map((table, index) => ({
      ...lock,
      ...{ table, mode: 'SHARE', blocks: ['writes'], held: 50_000 + index },
    }))
    const worst = { ...lock, held: 5, isShort: true }
    const locks = [...others, worst] as typeof rewriting.locks
    const failed = { ...rewriting, locks, failure: '42P07 it exists' }
    expect(render({ runs: [run({ statements: [failed] })] })).toMatch(
      /failed: 42P07 it exists \| 42s \| ACCESS EXCLUSIVE orders, 812 parts; SHARE d, 812 parts; SHARE c, 812 parts; and 1 more \| below 5ms \| reads, writes \|/,
    )
  })

  test.each([
    ['db/0042_total.sql', true],
    ['../../evil/0042_total.sql', false],
    ['db/0042 total.sql', false],
    ['db/a)(b.sql', false],
  ])('links a statement to its line in %s: %s', (file, isLinked) => {
    const failed = { ...rewriting, place: { file, line: 3 }, failure: '42P07 it exists' }
    const shown = render({ runs: [run({ verdict: 'failed', statements: [failed] }, { commit })] })
    const link = `(https://github.com/octo-org/shop/blob/${commit}/${file}#L3)`
    expect(shown.includes(link)).toBe(isLinked)
    expect(shown).toContain('**failed:** 42P07 it exists')
  })

  test.each([
    [runUrl, true],
    ['https://github.com/octo-org/shop/actions/runs/7', true],
    ['https://github.com/octo-org/other/actions/runs/7', false],
    ['https://evil.example/octo-org/shop/actions/runs/7', false],
    ['https://github.com/octo-org/shop/actions/runs/../../evil', false],
    ['https://github.com/octo-org/shop/actions/runs/7) [x](https://evil.example', false],
    ['', false],
  ])('links to the run %j: %s', (url, isLinked) => {
    expect(render({ runs: [run({}, { url })] }).includes('[log]')).toBe(isLinked)
  })
})

const pieces = fc.oneof(
  anyText(),
  fc.constantFrom(
    ...['`', '```', '|', '\n', '\r\n', '<!--', '-->', '<b>', '</details>', '<details open>', '\u2028'],
    ...['@octocat', '@org/team', '#1', 'GH-1', '&#64;', '[a](b)', '![a](b)', '**', '__', '_a_', '~~', '---'],
    ...['# ', '- ', '> ', 'https://evil.example', 'www.evil.example', 'a@b.example', ':tada:', '$x$', '\\'],
    ...['<!-- managed-database-action:end -->', '\n<!-- managed-database-action:migrations -->\n', '\ud800'],
    ...['plain words', 'orders_2024', '//evil.example', '\u202e', '\u0000'],
  ),
)
const text = fc.array(pieces, { maxLength: 8 }).map(parts => parts.join(''))

describe('for any stored values', () => {
  /** A report in which every text is another one. */
  const reports = fc
    .record({ texts: fc.array(text, { minLength: 12, maxLength: 12 }), isApproved: fc.boolean() })
    .map(({ texts, isApproved }): ShownMigrations => {
      const at = (index: number) => texts[index] ?? ''
      const worst = {
        ...rewriting,
        ...{ text: at(0), place: { file: at(1), line: 3 }, failure: at(2) },
        locks: rewriting.locks.map(lock => ({ ...lock, table: at(3) })),
      }
      const violation = { ...harmful().violations[0], message: at(4), advice: at(5), statement: 0 }
      const given = rehearsal({
        ...{ verdict: 'failed', statements: [worst, statement({ text: at(6) })] },
        violations: [violation, { ...violation, ignored: at(7) }] as never,
        ...{ effects: [{ ...dropped, message: at(8) }], measuredOn: { serverVersion: at(9), at: at(10) } },
      })
      return {
        runs: [run({ verdict: 'not measured', problem: at(11) }), { ...run(), rehearsal: given }],
        diff: { added: 1, removed: 0, changed: 0, text: at(0) },
        approval: { isApproved, message: at(1), next: at(2) },
        loss: { hash: 'c'.repeat(64) },
      }
    })

  /** Without the blocks and spans of code, which show anything as it is. */
  const outsideOfCode = (section: string) =>
    section.replace(/^(`{3,})diff\n[\s\S]*?\n\1$/m, '').replace(/`[^`\n]*`/g, '`')

  test('none of them has a meaning in Markdown or on GitHub', () => {
    fc.assert(
      fc.property(reports, report => {
        const outside = outsideOfCode(render(report))
          .split('\n')
          .map(line => line.replaceAll(/<br>→ \*(.*?)\*(?= \|)/g, '$1').replace(/^<sub>(.*)<\/sub>$/, '$1'))
          .filter(line => !/^(?:<\/?details>.*|<!-- managed-database-action:migration:c+ -->)$/.test(line))
          .join('\n')
          .replaceAll('**', '')
        expect(outside).not.toMatch(
          /[<>@*~$\\[\]!&]|:[a-z]|\/\/|www\.|GH-\d|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
        )
        expect(outside).not.toMatch(/[^\P{C}\n]/u)
      }),
      { numRuns: 20 * thoroughness },
    )
  })

  test('none of them can end the section, or start another one', () => {
    fc.assert(
      fc.property(reports, report => {
        const body = replaceSection({ body: '', changedAt: '' }, 'preview-pr-7-0a1b2c3d', {
          ...{ section: 'migrations', text: render(report) },
        })
        const marks = body.split('\n').filter(line => line.includes('<!--'))
        expect(marks).toHaveLength(4)
        expect(body.trimEnd().split('\n').at(-1)).toBe('<!-- managed-database-action:end -->')
      }),
      { numRuns: 20 * thoroughness },
    )
  })

  test('the comment stays below 60,000 characters, and links to the rest', () => {
    const long = '👍👍👍👍`'.repeat(300)
    const longest = capRun(
      run({
        ...{ verdict: 'failed', problem: long },
        violations: Array.from({ length: 40 }, () => ({
          ...{ limit: 'max_wal', measured: 1, allowed: 1, message: long, advice: long },
        })),
        statements: Array.from({ length: 40 }, () => ({ ...rewriting, text: long, failure: long })),
        effects: Array.from({ length: 40 }, () => ({ ...dropped, message: long })),
      }),
    )
    const section = render({
      runs: Array.from({ length: 30 }, (_, index) => ({
        ...longest,
        rehearsal: { ...longest.rehearsal, migrationHash: String(index).padStart(64, '0') },
      })),
      diff: { added: 9, removed: 9, changed: 9, text: `${long}\n`.repeat(50) },
      approval: { isApproved: false, message: long, next: long },
    })
    const database = renderPreview(
      {
        ...{ state: 'ready', name: 'x'.repeat(63), serviceId: long, host: long, database: long, user: long },
        ...{
          status: long,
          parentId: long,
          data: 'now',
          quarantine: long,
          facts: [{ label: long, text: long }],
        },
        quarantineDetails: Array.from({ length: 50 }, () => long),
      },
      runUrl,
      0,
    )
    expect(section.length + database.length).toBeLessThan(60_000)
    expect(section).toContain('The rest is in the summary.')
  })
})

test.each([
  ['column orders.note dropped, about 1,204,000 values', true],
  ['reads of order_items blocked for 0.7 s (limit 0.5 s)', true],
  ['0042_total.sql: the connection was lost', true],
  ['_orders_', false],
  ['a @octocat', false],
  ['see GH-12', false],
  ['www.evil.example', false],
  ['https://evil.example', false],
  [':tada:', false],
  ['*', false],
  ['', false],
])('the text %j is shown as %s', (words, asTheyAre) => {
  expect(renderWords(words) === words).toBe(asTheyAre && words !== '')
})
