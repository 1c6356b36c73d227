/** Tests the rules for injected faults. */
import { afterEach, expect, test } from 'vitest'
import { FaultRules, parseFaultRules } from '../../../../emulator/http/faults/fault-rules.ts'
import type { Emulator } from '../../../../emulator/http/server.ts'
import { authorization, callOverHttp } from '../../support/http-caller.ts'
import { start, stopAll } from '../../support/running.ts'

afterEach(stopAll)

const request = {
  method: 'GET',
  path: '/projects/p/services/s',
  operation: 'get-service',
  body: undefined,
} as const
const strikes = (rule: object, asked: object = {}) => {
  const rules = new FaultRules()
  rules.replace(parseFaultRules(JSON.stringify([{ kind: 'reset', ...rule }])))
  return [1, 2, 3, 4].map(() => rules.hook({ ...request, ...asked }) !== undefined)
}
const always = [true, true, true, true]
const never = [false, false, false, false]

test.each<[object, boolean[]]>([
  [{}, always],
  [{ operation: 'get-service' }, always],
  [{ operation: 'list-services' }, never],
  [{ method: 'get' }, always],
  [{ method: 'POST' }, never],
  [{ path: '/projects/p/services/s' }, always],
  [{ path: '/projects/q' }, never],
  [{ times: 2 }, [true, true, false, false]],
  [{ skip: 1, times: 2 }, [false, true, true, false]],
  [{ operation: 'get-service', method: 'POST' }, never],
])('a rule %j matches %j', (rule, expected) => {
  expect(strikes(rule)).toEqual(expected)
})

test('the first matching rule with uses left decides', () => {
  const rules = new FaultRules()
  const text = '[{"kind": "hang", "times": 1}, {"kind": "late", "milliseconds": 5}]'
  rules.replace(parseFaultRules(text))
  expect([rules.hook(request), rules.hook(request)]).toEqual([
    { kind: 'hang', when: 'before' },
    { kind: 'late', milliseconds: 5 },
  ])
})

test.each<[string, RegExp]>([
  ['{', /are not JSON/],
  ['{}', /the list: .*expected array/],
  ['[{"kind": "explode"}]', /0\.kind: expected one of answer, reset, .*, late; correct/],
  ['[{"kind": "answer"}]', /0\.status: .*expected number/],
  ['[{"kind": "reset", "oftener": 1}]', /0: unknown field oftener/],
  [
    '[{"kind": "reset", "operation": "get-servise"}]',
    /0\.operation: there is no operation get-servise \(did you mean get-service\?\)/,
  ],
])('%s is refused', (text, message) => {
  expect(() => parseFaultRules(text)).toThrow(message)
})

/** Asks the emulator itself. */
async function tell(emulator: Emulator, method: string, body?: string, headers: object = { authorization }) {
  const url = new URL('/emulator/faults', emulator.baseUrl)
  const answer = await fetch(url, { method, headers: { ...headers }, body: body ?? null })
  const text = await answer.text()
  const allow = answer.headers.get('allow')
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), allow }
}

test('faults can be set, read and deleted while the emulator runs', async () => {
  const emulator = await start()
  const status = async () => (await callOverHttp(emulator, 'get-auth-info')).status
  expect(await status()).toBe(200)
  const rule = '[{"operation": "get-auth-info", "kind": "answer", "status": 503, "body": {"code": "X"}}]'
  expect(await tell(emulator, 'PUT', rule)).toMatchObject({ status: 200 })
  expect(await callOverHttp(emulator, 'get-auth-info')).toEqual({ status: 503, body: { code: 'X' } })
  expect((await tell(emulator, 'GET')).body).toMatchObject({ faults: [{ status: 503, seen: 1 }] })
  expect(await tell(emulator, 'DELETE')).toEqual({ status: 204, body: undefined, allow: null })
  expect(await status()).toBe(200)
})

test('only with the key, and only known faults', async () => {
  const emulator = await start({
    faultRules: parseFaultRules('[{"kind": "hang", "operation": "create-vpc"}]'),
  })
  expect(await tell(emulator, 'PUT', '[]', {})).toMatchObject({ status: 401 })
  expect(await tell(emulator, 'PUT', '[{"kind": "explode"}]')).toMatchObject({ status: 400 })
  expect(await tell(emulator, 'POST', '[]')).toMatchObject({ status: 405, allow: 'GET, PUT, DELETE' })
  expect((await tell(emulator, 'GET')).body).toMatchObject({ faults: [{ kind: 'hang', seen: 0 }] })
})
