/** Tests that each broken variant of the simulator changes code that exists. */
import { expect, test } from 'vitest'
import { editText } from '../simulator/break-source.ts'
import { breaks } from '../simulator/breaks.ts'
import { everySource, readSources } from './read-sources.ts'

const sources = readSources(everySource)

/** The problem of a variant, if a file does not hold the text that the variant changes. */
function problemOf(name: string, file: string): string | undefined {
  try {
    const text = sources.get(file) ?? ''
    return editText(name, file, text) === text ? `${file} stays the same` : undefined
  } catch (failure) {
    return (failure as Error).message
  }
}

test('each broken variant of the simulator changes code that is there', () => {
  const problems = Object.entries(breaks).flatMap(([name, { edits }]) =>
    [...new Set(edits.map(({ file }) => file))]
      .map(file => problemOf(name, file))
      .filter(problem => problem !== undefined)
      .map(problem => `${name}: ${problem}`),
  )
  expect(problems, 'correct the variant in test/simulator/breaks-of-*.ts').toEqual([])
})
