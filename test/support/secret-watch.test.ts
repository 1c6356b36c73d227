/** Tests the search for secrets in the output of steps. */
import { describe, expect, test } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { SecretWatch } from './secret-watch.ts'

const secret = 'hush%"hush&now'
const nothing: StepResult = {
  exitCode: 0,
  stdout: '',
  stderr: '',
  outputs: {},
  state: {},
  environment: {},
  summary: '',
}

function examine(lines: string[], result: Partial<StepResult> = {}): () => void {
  const watch = new SecretWatch()
  watch.know({ label: 'the key', text: secret })
  return () => watch.examineStep(lines, { ...nothing, ...result })
}

/** As the toolkit writes it. */
const mask = `::add-mask::${secret.replaceAll('%', '%25')}`
const shown = secret.replaceAll('%', '%25')

describe('a step that shows a secret fails', () => {
  test.each<[string, lines: string[], result: Partial<StepResult>, told: string]>([
    ['in its log', [`it is ${secret}`], {}, 'the key (raw) in stdout: "it is •••"'],
    ['in its log, before its mask', [`it is ${secret}`, mask], {}, 'in stdout'],
    ['in a command', [`::debug::it is ${shown}`], {}, 'in stdout'],
    ['in the property of a command', [`::error title=${shown}::oh`], {}, 'in stdout'],
    ['on stderr', [secret], { stderr: `${secret}\n` }, 'in stderr'],
    ['encoded as the runner does not mask it', [mask, Buffer.from(secret).toString('hex')], {}, '(hex)'],
    ['in its summary', [], { summary: `a\n${secret}\n` }, 'in summary'],
    ['in its state, masked or not', [mask], { state: { intent: `"${secret}"` } }, 'in state'],
    [
      'in the output result, masked or not',
      [mask],
      { outputs: { result: JSON.stringify([secret]) } },
      'in the output result:',
    ],
    [
      'in the output result, escaped',
      [mask],
      { outputs: { result: '"hush%\\u0022hush\\u0026now"' } },
      'in the output result, parsed',
    ],
    ['in its summary, escaped', [mask], { summary: 'hush%&#34;hush&#38;now' }, 'in summary as it is read'],
  ])('%s', (_, lines, result, told) => {
    expect(examine(lines, result)).toThrow(told)
  })

  test('and the error does not contain it', () => {
    expect(examine([`it is ${secret}`])).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    )
  })

  test('and so does one that asks for a mask on which the runner fails', () => {
    expect(examine(['::add-mask::secret&+'])).toThrow('a mask that the runner fails on')
  })
})

describe('a step may', () => {
  test.each<[string, lines: string[], result: Partial<StepResult>]>([
    ['show a secret that is masked', [mask, `it is ${secret}`, `::error::it is ${shown}`], {}],
    ['show it in an encoding that the runner masks', [mask, JSON.stringify(secret)], {}],
    ['have a masked one in its summary', [mask], { summary: secret }],
    ['hand it to outputs and environment', [], { outputs: { password: secret }, environment: { A: secret } }],
  ])('%s', (_, lines, result) => {
    expect(examine(lines, result)).not.toThrow()
  })
})

describe('the passwords of a body', () => {
  test.each<[string, body: string]>([
    ['sent', '{"password":"hush%\\"hush&now"}'],
    ['given out', '[{"service_id":"a","initial_password": "hush%\\"hush&now"}]'],
    ['in what is not whole', '{"initial_password":"hush%\\"hush&now","na'],
  ])('%s are known', (_, body) => {
    const watch = new SecretWatch()
    watch.knowPasswordsOf(body)
    expect(() => watch.examine('comment', `a ${secret}`)).toThrow(
      'a password of 14 characters (raw) in comment',
    )
  })
})
