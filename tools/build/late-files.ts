/** The output of ncc for an entry: its own file, and by file name the parts for `import()` of our modules. */
export interface Made {
  code: string
  parts: Record<string, string>
}

/** `e(12)` alone or several in a list: the parts of one `import()`. */
const imports =
  /Promise\.all\(\/\* import\(\) \*\/\[([^\]]+)\]\)|__nccwpck_require__\.e\(\/\* import\(\) \*\/ (\d+)\)/g
const number = /__nccwpck_require__\.e\((\d+)\)/g

/** The numbers of the parts that each `import()` asks for, in their order. */
function groupsOf(code: string): string[][] {
  const groups = [...code.matchAll(imports)].map(([, list, single]) =>
    single === undefined ? [...(list ?? '').matchAll(number)].map(([, id]) => id as string) : [single],
  )
  return [...new Map(groups.map(ids => [ids.join(), ids])).values()]
}

/** Several parts as one file, which webpack's runtime reads like any of them. */
function join(parts: string[]): string {
  return [
    'exports.ids = [];',
    'exports.modules = {};',
    ...parts.map(part => `{ const exports = {};\n${part}\nadd(exports); }`),
    'function add({ ids, modules }) { exports.ids.push(...ids); Object.assign(exports.modules, modules); }',
  ].join('\n')
}

/** The line of webpack's runtime that makes the name of a file from the number of a part. */
const fileName = /return "" \+ chunkId \+ "\.[\w.]+";/

/** The file of the entry, and those of its imports by their names. */
export interface Named {
  code: string
  files: Record<string, string>
}

/** What webpack writes for the first name that a module exports. */
function exportOf(module: string): string {
  const [, name] = /^export (?:async )?(?:function|const|class|\{) ?(\w+)/m.exec(module) ?? []
  if (name === undefined) throw new Error(`a module that is loaded late exports nothing:\n${module}`)
  return ` ${name}: () =>`
}

/**
 * Makes one file of each `import()`, by names of our choice: ncc numbers them, and cuts some in two. `late` gives the
 * files, and for each the text of the module that is imported.
 *
 * @throws Error if an import has no name, or a name no import
 */
export function nameLateFiles({ code, parts }: Made, late: Record<string, string>): Named {
  const left = new Map(Object.entries(late).map(([file, module]) => [file, exportOf(module)]))
  const names: Record<string, string> = {}
  const files: Record<string, string> = {}
  for (const ids of groupsOf(code)) {
    const texts = ids.map(id => parts[Object.keys(parts).find(name => name.startsWith(`${id}.`)) ?? ''] ?? '')
    const [file] = [...left].find(([, mark]) => texts.some(text => text.includes(mark))) ?? []
    if (file === undefined)
      throw new Error(`the parts ${ids} of the bundle have no name: add them to chunks.ts`)
    left.delete(file)
    files[file] = join(texts)
    for (const id of ids) {
      if (names[id] !== undefined) throw new Error(`${names[id]} and ${file} share code: ${id}`)
      names[id] = file
    }
  }
  const [missing] = left.keys()
  if (missing !== undefined) throw new Error(`nothing imports what would be in ${missing}`)
  return { files, code: code.replace(fileName, `return ${JSON.stringify(names)}[chunkId];`) }
}
