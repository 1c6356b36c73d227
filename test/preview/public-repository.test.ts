/** Tests the warning about the data of a preview in a public repository. */
import { expect, it } from 'vitest'
import { Stage } from './support/stage.ts'

const warning = expect.stringContaining('a fork that is neither masked nor empty')

it.each([
  ['a fork in a public repository', true, undefined, [warning]],
  ['an empty preview in a public repository', true, {}, []],
  ['a fork in a private repository', false, undefined, []],
])('warns of %s as it should', async (_, isPublic, given, warnings) => {
  const run = await new Stage().run('create-preview', { event: { isPublic }, ...(given && { given }) })
  expect(run.outcome).toMatchObject({ created: true })
  expect(run.warnings).toEqual(warnings)
})
