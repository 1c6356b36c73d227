import { describe, expect, test } from 'vitest'
import { nameLateFiles } from '../../tools/build/late-files.ts'

/** As ncc writes them: an import of a part alone, one of a part and its packages, and webpack's name of a file. */
const code = [
  'await __nccwpck_require__.e(/* import() */ 7).then(one)',
  'await Promise.all(/* import() */[__nccwpck_require__.e(0), __nccwpck_require__.e(8)]).then(two)',
  'return "" + chunkId + ".run.js";',
].join('\n')

const part = (id: number, name: string) =>
  `exports.id = ${id};\nexports.ids = [${id}];\nexports.modules = { ${id}: 'module ${id}', /* ${name}: () => */ };\n`

const parts = {
  '7.run.js': part(7, 'openOne'),
  '0.run.js': part(0, 'inside'),
  '8.run.js': part(8, 'openTwo'),
}
const late = {
  'one.js': `import x from 'x'\nexport async function openOne() {}\n`,
  'two.js': `export { openTwo } from './two.js'\n`,
}

/** What webpack's runtime is given by a file. */
function load(text = '') {
  const exports: { ids?: number[]; modules?: Record<string, string> } = {}
  new Function('exports', text)(exports)
  return exports
}

describe('files that are loaded late', () => {
  test('are each an import with all its parts', () => {
    const { files } = nameLateFiles({ code, parts }, late)
    expect(load(files['one.js'])).toEqual({ ids: [7], modules: { 7: 'module 7' } })
    expect(load(files['two.js'])).toEqual({ ids: [0, 8], modules: { 0: 'module 0', 8: 'module 8' } })
  })

  test('are found by the runtime under their names', () => {
    const named = nameLateFiles({ code, parts }, late)
    expect(named.code).toContain('return {"0":"two.js","7":"one.js","8":"two.js"}[chunkId];')
    expect(named.code).not.toContain('.run.js')
  })

  test('are none where nothing is imported late', () => {
    expect(nameLateFiles({ code: 'run()', parts: {} }, {})).toEqual({ code: 'run()', files: {} })
  })

  test.each([
    ['an import without a name', { 'one.js': late['one.js'] }, 'the parts 0,8 of the bundle have no name'],
    [
      'a name without an import',
      { ...late, 'three.js': 'export const openThree = 3\n' },
      'nothing imports what would be in three.js',
    ],
    ['a module that exports nothing', { 'one.js': 'run()\n' }, 'exports nothing'],
  ])('fail the build for %s', (_, given, message) => {
    expect(() => nameLateFiles({ code, parts }, given)).toThrow(message)
  })

  test('fail the build where two share a part', () => {
    const shared = code.replace('.e(/* import() */ 7)', '.e(/* import() */ 8)')
    const both = { 'one.js': `export { openTwo } from './two.js'\n`, 'two.js': late['two.js'] }
    expect(() => nameLateFiles({ code: shared, parts }, both)).toThrow('share code: 8')
  })
})
