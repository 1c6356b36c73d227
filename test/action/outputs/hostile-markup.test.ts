/** Tests that hostile texts stay text in summaries. */
import { describe, expect, test } from 'vitest'
import { renderFailure, renderSuccess } from '#action/outputs/step-summary'
import { Secrets } from '#action/secrets/secrets'
import { ApiError } from '#base/errors'
import { WaitError } from '#operations/wait/wait-error'
import { outcomeOfPrune } from '#preview/prune/prune'
import { checkHostile } from '../../support/hostile-text.ts'
import { timelineOf } from '../../support/timeline.ts'

const secrets = new Secrets()
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** How often each character that is markup stands in a text; as an entity it is none. */
function markupOf(markdown: string): Record<string, number> {
  const bare = markdown.replace(/&#\d+;/g, '').replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '')
  return Object.fromEntries([...'\n|<>`[]()*#@!&"\''].map(char => [char, bare.split(char).length - 1]))
}

/** The same markup as with harmless words: nothing was added to it, and nothing taken away. */
function expectSameMarkup(hostile: string, harmless: string): void {
  expect(markupOf(hostile)).toEqual(markupOf(harmless))
  expect(hostile.toWellFormed()).not.toMatch(unseen)
}

const call = { operation: 'get-service', method: 'GET', path: '/services' }

/** Empty texts leave out more than their markup. */
const filled = <Texts extends Record<string, string>>(texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, `${text}word`])) as Texts

/** Checks that any texts render to the same markup. */
function checkMarkup<const Name extends string>(
  share: number,
  names: Name[],
  render: (texts: Record<Name, string>) => string,
): void {
  const nothing = Object.fromEntries(names.map(name => [name, ''])) as Record<Name, string>
  const expected = render(filled(nothing))
  checkHostile(share, names, texts => expectSameMarkup(render(filled(texts)), expected))
}

describe('the summary', () => {
  test('of a success', () => {
    checkMarkup(0.03, ['id', 'name', 'status', 'region'], ({ id, name, status, region }) =>
      renderSuccess(
        {
          login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
          outcome: {
            operation: 'get-service',
            resource: 'service',
            ids: { service_id: id },
            record: { service_id: id, name: name, status, region_code: region },
            timeline: timelineOf(2000, [
              { status, at: 0 },
              { status: region, at: 900 },
            ]),
          },
        },
        secrets,
      ),
    )
  })

  test('of checked previews', () => {
    checkMarkup(0.02, ['id', 'name', 'reason'], ({ id, name, reason }) =>
      renderSuccess(
        {
          login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
          outcome: outcomeOfPrune('p1', [{ service: { service_id: id, name }, verdict: 'kept', reason }], {
            isDryRun: false,
          }),
        },
        secrets,
      ),
    )
  })

  test('of an error of the API', () => {
    checkMarkup(0.02, ['code', 'message', 'details'], ({ code, message, details }) =>
      // Words that it gives advice for would change the advice: a status without any.
      renderFailure(
        'get-service',
        new ApiError(call, { status: 500, code: `E${code}`, message, details }),
        secrets,
      ),
    )
  })

  test('of a failed wait', () => {
    checkMarkup(0.03, ['status', 'line', 'message'], ({ status, line, message }) => {
      const error = new WaitError(message, 'look', {
        resource: 'service',
        ids: {},
        history: [{ status, at: 1 }],
      })
      error.logLines = [line, line]
      return renderFailure('create-service', error, secrets)
    })
  })
})

describe('the summary of a wait with hundreds of hostile statuses', () => {
  const history = Array.from({ length: 500 }, (_, at) => ({ status: '<'.repeat(1e4), at }))
  const limit = 1024 * 1024

  test("stays below the runner's limit after a failure", () => {
    const error = new WaitError('<'.repeat(1e4), 'look', { resource: 'service', ids: {}, history })
    error.logLines = Array.from({ length: 20 }, () => '<'.repeat(1e4))
    expect(renderFailure('create-service', error, secrets).length).toBeLessThan(limit)
  })

  test("stays below the runner's limit after a success", () => {
    const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
    const outcome = { operation: 'get-service', ids: {}, timeline: timelineOf(500, history) }
    expect(renderSuccess({ login, outcome }, secrets).length).toBeLessThan(limit)
  })
})
