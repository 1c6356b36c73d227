/** Tests the inputs of create-masked-parent. */
import { expect, it, test } from 'vitest'
import { readInputs } from '#action/inputs/read-inputs'
import { completeEvent, eventOf } from '../../preview/support/inputs.ts'

const read = (operation: string, inputs: Record<string, string>) =>
  readInputs(
    {
      ...{ INPUT_OPERATION: operation, INPUT_BASE_URL: 'https://api.example/public/api/v1' },
      ...{ INPUT_API_KEY: `public:${'s'.repeat(32)}`, INPUT_SERVICE_ID: 'production' },
      ...inputs,
    },
    completeEvent(eventOf('synchronize')),
  )

it.each([
  [{}, true],
  [{ INPUT_MASKED: 'true' }, 'strict'],
  [{ INPUT_MASKED: 'true', INPUT_QUARANTINE: 'true' }, true],
  [{ INPUT_MASKED: 'false' }, true],
])('a preview with %o is quarantined as %s', (inputs, quarantine) => {
  expect(read('create-preview', inputs).settings.quarantine).toBe(quarantine)
})

it.each([
  [{}, 'mask_file: expected a file of rules'],
  [{ INPUT_MASK_FILE: 'a.yml', INPUT_QUARANTINE: 'false' }, 'quarantine: expected strict or true'],
  [{ INPUT_MASK_FILE: 'a.yml', INPUT_CLEANUP: 'always' }, 'cleanup: not for create-masked-parent'],
  [
    { INPUT_MASK_FILE: 'a.yml', INPUT_DATABASE_URL: 'postgresql://u:p@h/d' },
    'database_url: expected nothing, except in a dry run',
  ],
])('create-masked-parent refuses %o', (inputs, message) => {
  expect(() => read('create-masked-parent', inputs)).toThrow(message)
})

test('create-masked-parent always cleans up, and has the time limit of a job', () => {
  const { settings, waitTimeout } = read('create-masked-parent', { INPUT_MASK_FILE: 'a.yml' })
  expect(settings).toMatchObject({ cleanup: 'on-failure', quarantine: 'strict' })
  expect(waitTimeout).toBe(6 * 3_600_000)
})
