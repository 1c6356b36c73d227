/**
 * Writes the blocks of action.yml and the README that come from the tables of the code, or with `--check`
 * says which of them are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBlock } from './generated-block.ts'
import {
  renderInputsTable,
  renderInputsYaml,
  renderOperationsTable,
  renderOutputsTable,
  renderOutputsYaml,
} from './tables.ts'

const root = resolve(import.meta.dirname, '../..')

const files: Record<string, Record<string, () => string>> = {
  'action.yml': { inputs: renderInputsYaml, outputs: renderOutputsYaml },
  'README.md': { operations: renderOperationsTable, inputs: renderInputsTable, outputs: renderOutputsTable },
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
for (const [name, blocks] of Object.entries(files)) {
  const file = resolve(root, name)
  const written = readFileSync(file, 'utf8')
  const fresh = Object.entries(blocks).reduce(
    (text, [block, render]) => replaceBlock(text, block, render()),
    written,
  )
  if (fresh === written) continue
  if (values.check) {
    process.stderr.write(`${name} is stale; run: npm run reference\n`)
    process.exitCode = 1
  } else {
    writeFileSync(file, fresh)
  }
}
