/** Tests the summary of a step. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  escapeWords,
  renderDetails,
  renderDone,
  renderFailure,
  renderSuccess,
} from '#action/outputs/step-summary'
import { Secrets } from '#action/secrets/secrets'
import { Service } from '#api/records'
import { ApiError, CancelledError, ListError } from '#base/errors'
import type { Outcome } from '#operations/base/outcome'
import { WaitError } from '#operations/wait/wait-error'
import { timelineOf } from '../../support/timeline.ts'

const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
const none = new Secrets()
const call = { operation: 'resize-service', method: 'POST', path: '/projects/p1/services/s1/resize' }

const outcome: Outcome = {
  operation: 'create-service',
  ids: { project_id: 'p1', service_id: 's1' },
  resource: 'service',
  record: Service.parse({
    service_id: 's1',
    name: 'shop | <b>',
    status: 'READY',
    endpoint: { host: 'db.example', port: 5432 },
  }),
  password: 'hush-hush',
  initialPassword: 'hush-hush',
  created: true,
  timeline: timelineOf(75_000, [
    { status: 'QUEUED', at: 500 },
    { status: 'CONFIGURING', at: 2000 },
    { status: 'READY', at: 75_000 },
  ]),
}

/** The text that a reader of the rendered cell sees. */
const shownBy = (cell: string) => cell.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

describe('a cell', () => {
  test.each([
    ['plain text', 'plain text'],
    ['a|b', 'a&#124;b'],
    ['<img src=x>', '&#60;img src=x&#62;'],
    ['&amp;', '&#38;amp;'],
    ['[a](b)', '&#91;a&#93;&#40;b&#41;'],
    ['@team #7', '&#64;team &#35;7'],
    ['**a** _b_ `c` ~d~', '&#42;&#42;a&#42;&#42; &#95;b&#95; &#96;c&#96; &#126;d&#126;'],
    ['a\nb', 'a b'],
    ['\\', '&#92;'],
    ['https://a.example', 'https&#58;//a.example'],
    [' a ', 'a'],
  ])('shows %j unchanged', (text, cell) => {
    expect(escapeWords(text)).toBe(cell)
  })

  it('contains no markup, and ends in its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), text => {
        expect(escapeWords(text).replace(/&#\d+;/g, '')).not.toMatch(
          /[&<>"'`|*~[\]()#!\\@\n]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?! |$)/,
        )
      }),
    )
  })

  it('shows all visible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), text => {
        // Commands of the runner are broken by a space.
        const seen = (shown: string) => shown.replaceAll(' ', '')
        expect(seen(shownBy(escapeWords(text)))).toBe(seen(text))
      }),
    )
  })
})

describe('the summary of a success', () => {
  it('has the result and its history, without the password', () => {
    expect(renderSuccess({ outcome, login }, none)).toMatchInlineSnapshot(`
      "### create-service

      service s1 is READY at db.example&#58;5432.

      | output | value |
      |---|---|
      | name | shop &#95; &#95;b&#95; |
      | status | READY |
      | host | db.example |
      | port | 5432 |
      | service_id | s1 |

      <details><summary>More</summary>

      | output | value |
      |---|---|
      | created | true |
      | project_id | p1 |
      | database | tsdb |
      | user | tsdbadmin |
      | wait_seconds | 75.0 |

      | span | after | for |
      |---|---|---|
      | QUEUED | 0.5s | 1.5s |
      | CONFIGURING | 2.0s | 1m 13s |
      | READY | 1m 15s | 0.0s |

      </details>"
    `)
  })

  it("has the origin of a preview's data, and still five rows", () => {
    const data = 'fork of <b> as of 2026-01-31 12:00 UTC'
    const summary = renderSuccess({ outcome: { ...outcome, data }, login }, none)
    expect(summary).toContain('\n\nData: fork of &#60;b&#62; as of 2026-01-31 12&#58;00 UTC\n\n')
    expect(summary.split('<details>')[0]?.match(/^\| (?!output|---)\w+ \|/gm)).toHaveLength(5)
  })

  it('collapses nothing if there is little to show', () => {
    const { timeline: _, record: __, resource: ___, ...rest } = outcome
    expect(renderSuccess({ outcome: rest, login }, none)).not.toContain('<details>')
  })

  it('has no timeline without a wait', () => {
    const { timeline: _, ...rest } = outcome
    const unwaited = { milliseconds: 900, waited: 0, spans: [] }
    for (const timeline of [undefined, unwaited]) {
      const summary = renderSuccess({ outcome: { ...rest, timeline }, login }, none)
      expect(summary).not.toContain('| span |')
    }
  })
})

describe('the summary of a failure', () => {
  it('has the failure, the instruction, and the details from the server', () => {
    const error = new ApiError(call, {
      status: 400,
      code: 'BAD',
      message: 'no | such size',
      details: { a: ['<b>'] },
    })
    expect(renderFailure('resize-service', error, none)).toMatchInlineSnapshot(`
      "### resize-service failed

      resize-service &#40;POST /projects/p1/services/s1/resize&#41; failed with 400 BAD: no &#124; such size

      **Next:** correct the input that the message names

      Details: {&#34;a&#34;&#58;&#91;&#34;&#60;b&#62;&#34;&#93;}"
    `)
  })

  it('has no field in the details that mentions a secret', () => {
    const details = { field: 'name', new_password: ['hush'], why: "PASSWORD 'hush'" }
    const error = new ApiError(call, { status: 400, message: 'no', details })
    const text = renderFailure('resize-service', error, none)
    expect(text).toContain('field')
    expect(text).not.toContain('hush')
    expect(renderDetails(error, none)).toBe(`{"field":"name","why":"PASSWORD '***'"}`)
  })

  it('has the history of a wait', () => {
    const history = [
      { status: 'READY', at: 500 },
      { status: 'UPGRADING', at: 1500 },
    ]
    const error = new WaitError('service s1 has not settled', 'look at its log', {
      resource: 'service',
      ids: {},
      history,
    })
    expect(renderFailure('resize-service', error, none)).toMatchInlineSnapshot(`
      "### resize-service failed

      service s1 has not settled

      **Next:** look at its log

      | status | seen after | for |
      |---|---|---|
      | READY | 0.5s | 1.0s |
      | UPGRADING | 1.5s |  |"
    `)
  })

  test.each<[string, unknown, string]>([
    ['an error of the code', new TypeError('x is undefined'), 'x is undefined'],
    ['what is no error', 'just text', 'just text'],
    ['a cancelled job', new CancelledError('SIGINT'), 'cancelled by SIGINT'],
  ])('is short for %s', (_, error, message) => {
    const [heading, text] = renderFailure('op', error, none).split('\n\n')
    expect(heading).toBe(error instanceof CancelledError ? '### op was cancelled' : '### op failed')
    expect(text).toBe(message)
  })

  it('lists several failures', () => {
    const error = new ListError('originals were found', ['a.b: 2 | 3', 'a.c: 1'], 'correct the rules')
    expect(error.message).toBe('originals were found: a.b: 2 | 3; a.c: 1')
    expect(renderFailure('op', error, none)).toMatchInlineSnapshot(`
      "### op failed

      originals were found

      - a.b: 2 &#124; 3
      - a.c: 1

      **Next:** correct the rules"
    `)
  })
})

describe('a secret', () => {
  const reserved = fc.constantFrom(...`&<>"'|*_~[]()#!\\@:abcXYZ019`)
  const secret = fc.array(reserved, { minLength: 8, maxLength: 20 }).map(chars => chars.join(''))

  it('is in no summary, with any characters', () => {
    fc.assert(
      fc.property(secret, text => {
        const secrets = new Secrets()
        secrets.add(text)
        fc.pre(!text.includes('***'))
        const error = new ApiError(call, { status: 400, message: `no ${text}`, details: { [text]: text } })
        const history = [{ status: text, at: 1 }]
        const waited = new WaitError(`saw ${text}`, `do ${text}`, { resource: 'service', ids: {}, history })
        waited.logLines = [text]
        const record = Service.parse({ service_id: 's1', name: text, status: text })
        const summaries = [
          renderFailure(text, error, secrets),
          renderFailure('op', waited, secrets),
          renderSuccess(
            { outcome: { ...outcome, record, timeline: timelineOf(2, history) }, login },
            secrets,
          ),
        ]
        for (const summary of summaries) expect(shownBy(summary)).not.toContain(text)
      }),
    )
  })
})

describe('the last line of the log', () => {
  const { resource: _, record: __, ...bare } = outcome

  test.each<[string, Outcome, string]>([
    ['a service', outcome, 'create-service: done; service s1 is READY at db.example:5432'],
    ['an answer without a record', bare, 'create-service: done'],
    ['what is gone', { ...bare, resource: 'service' }, 'create-service: done'],
    [
      'a VPC, which has no status',
      { operation: 'get-vpc', ids: { vpc_id: '7' }, resource: 'vpc', record: { id: '7' } },
      'get-vpc: done; VPC 7 is present, without a status',
    ],
  ])('describes %s', (_, of, line) => {
    expect(renderDone(of)).toBe(line)
  })
})
