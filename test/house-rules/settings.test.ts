/** Tests that code reads the setting of every input: an input without effect is worse than none. */
import { expect, test } from 'vitest'
import { contentsInputs } from '#database/inputs/contents-inputs'
import { rehearsalInputs } from '#database/inputs/rehearsal-inputs'
import { type InputRow, settingName } from '#operations/base/input-row'
import { previewInputs } from '#preview/base/inputs'
import { readSources } from './read-sources.ts'

const code = [...readSources('src/**/*.ts')]
  .filter(([file]) => !/inputs\.ts$/.test(file))
  .map(([, source]) => source)
  .join('\n')

test('the setting of every input of previews and databases is used', () => {
  const rows = Object.entries<InputRow>({ ...previewInputs, ...contentsInputs, ...rehearsalInputs })
  const unused = rows.filter(([name, row]) => !new RegExp(`\\b${settingName(name, row)}\\b`).test(code))
  expect(unused.map(([name]) => name)).toEqual([])
})
