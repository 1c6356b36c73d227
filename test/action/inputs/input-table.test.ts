/** Tests that the code uses every setting. */
import { expect, it } from 'vitest'
import { ownInputs } from '#action/inputs/input-table'
import { settingName } from '#operations/base/input-row'
import { readSources } from '../../house-rules/read-sources.ts'

it('every setting is used by the code', () => {
  const sources = [...readSources('src/**/*.ts')].filter(
    ([path]) => !/\/(?:\w+-)?inputs\.ts$/.test(path) || /\/read-inputs\.ts$/.test(path),
  )
  const text = sources.map(([, source]) => source).join('\n')
  const settings = Object.entries(ownInputs).map(([name, row]) => settingName(name, row))
  const unread = settings.filter(setting => !new RegExp(`\\b${setting}\\b`).test(text))
  expect(unread).toEqual([])
})
