/** Tests the emulated log of the runner. */
import { describe, expect, test } from 'vitest'
import { RunnerLog } from '../../tools/runner/rendered-log.ts'

describe('a job log', () => {
  test.each<[printed: string, shown: string | undefined]>([
    ['plain text', 'plain text'],
    ['::warning::careful', 'Warning: careful'],
    ['::notice title=Note::look', 'Notice: look'],
    ['::group::More', '▼ More'],
    ['::endgroup::', undefined],
    ['::debug::details', undefined],
    ['::add-mask::hunter2', undefined],
    ['more ##[error]broken', 'Error: broken'],
    ['::add-path::/bin', "Error: Unable to process command '::add-path::/bin' successfully."],
    ['::stop-commands::token', '::stop-commands::token'],
  ])('shows %j as %j', (printed, shown) => {
    expect(new RunnerLog().show(printed)).toBe(shown)
  })

  test('hides masked texts from then on, the longest first, and each of several lines', () => {
    const log = new RunnerLog()
    expect(log.show('hunter2')).toBe('hunter2')
    for (const mask of ['hunter2', 'url:hunter2@host', 'one%0Atwo', 'a%250Ab', '']) {
      log.show(`::add-mask::${mask}`)
    }
    const shown = log.show('hunter2 url:hunter2@host one two a%0Ab three')
    expect(shown).toBe('*** *** *** *** *** three')
    expect(log.show('::warning::not hunter2')).toBe('Warning: not ***')
  })
})
