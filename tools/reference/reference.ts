/** Updates generated blocks and files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeApi } from '../../emulator/openapi/document.ts'
import { publishedName } from '../release/published-name.ts'
import { renderInputsYaml, renderOutputsYaml } from './action-blocks.ts'
import { renderEffects, renderMaskingRules } from './database-tables.ts'
import { frontDoorInputs, frontDoors } from './front-door.ts'
import { IncompleteReferenceError, replaceBlock } from './generated-block.ts'
import { forEnterpriseServer, renderCallInputs, renderPassedInputs } from './reusable-workflows.ts'
import { describeOperations, renderInputLists, renderOperationLists, renderOutputLists } from './tables.ts'

/** Derived from the workflow, which must be up to date. */
function enterpriseVariant(root: string, name: string): string {
  const packageJson = readFileSync(join(root, 'package.json'), 'utf8')
  const { version } = JSON.parse(packageJson) as { version: string }
  const workflow = readFileSync(join(root, '.github/workflows', name), 'utf8')
  return forEnterpriseServer(workflow, `${publishedName(packageJson)}@v${version}`)
}

/** Completely generated files. */
const wholeFiles: Record<string, (root: string) => string> = {
  'docs/openapi.json': () => `${JSON.stringify(describeApi(), null, 2)}\n`,
  'docs/operations.json': () => `${JSON.stringify(describeOperations(), null, 2)}\n`,
  'ghes/preview.yml': root => enterpriseVariant(root, 'preview.yml'),
  'ghes/prune-previews.yml': root => enterpriseVariant(root, 'prune-previews.yml'),
  'ghes/masked-parent.yml': root => enterpriseVariant(root, 'masked-parent.yml'),
}

const frontDoorBlocks = Object.entries(frontDoors).map(([file, door]) => [
  file,
  { inputs: () => renderInputsYaml(frontDoorInputs(door)), outputs: () => renderOutputsYaml(door.outputs) },
])

/** The generated blocks of each file. */
const files: Record<string, Record<string, () => string>> = {
  'action.yml': { inputs: () => renderInputsYaml(), outputs: () => renderOutputsYaml() },
  ...Object.fromEntries(frontDoorBlocks),
  '.github/workflows/preview.yml': {
    inputs: () => renderCallInputs('preview'),
    with: () => renderPassedInputs('preview'),
  },
  '.github/workflows/prune-previews.yml': {
    inputs: () => renderCallInputs('prune-previews'),
    with: () => renderPassedInputs('prune-previews'),
  },
  '.github/workflows/masked-parent.yml': {
    inputs: () => renderCallInputs('create-masked-parent'),
    with: () => renderPassedInputs('create-masked-parent'),
  },
  'docs/reference.md': {
    operations: renderOperationLists,
    inputs: renderInputLists,
    outputs: renderOutputLists,
  },
  'docs/masking.md': { rules: renderMaskingRules },
  'docs/migrations.md': { effects: renderEffects },
}

/**
 * Updates the generated blocks below the folder `root`, or with `check` only compares them.
 * @returns the problems, a sentence each
 */
export function updateReference(root: string, { check }: { check: boolean }): string[] {
  return [...updateBlocks(root, check), ...updateWholeFiles(root, check)]
}

function updateWholeFiles(root: string, check: boolean): string[] {
  return Object.entries(wholeFiles).flatMap(([name, render]) => update(root, name, check, () => render(root)))
}

function updateBlocks(root: string, check: boolean): string[] {
  return Object.entries(files).flatMap(([name, blocks]) =>
    update(root, name, check, written =>
      Object.entries(blocks).reduce((text, [block, render]) => replaceBlock(text, block, render()), written),
    ),
  )
}

/** Updates one file, or with `check` only compares it. Returns the problems, a sentence each. */
function update(root: string, name: string, check: boolean, renew: (written: string) => string): string[] {
  const file = join(root, name)
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  try {
    const fresh = renew(written)
    if (fresh === written) return []
    if (check) return [`${name} is stale; run: npm run reference`]
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, fresh)
    return []
  } catch (error) {
    if (!(error instanceof IncompleteReferenceError)) throw error
    return [`${name} cannot be written: ${error.message}`]
  }
}
