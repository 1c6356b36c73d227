/** Updates generated blocks and files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeApi } from '../../emulator/openapi/document.ts'
import { publishedName } from '../release/published-name.ts'
import {
  forEnterpriseServer,
  renderCallInputs,
  renderInputsYaml,
  renderOutputsYaml,
  renderPassedInputs,
} from './action-files.ts'
import { renderEffects, renderMaskingRules } from './database-tables.ts'
import { replaceBlock } from './documents.ts'
import { frontDoorInputs, frontDoors } from './front-door.ts'
import { describeOperations, renderInputLists, renderOperationLists, renderOutputLists } from './tables.ts'

/** The reusable workflows: the operation of each. */
const workflows = {
  'preview.yml': 'preview',
  'prune-previews.yml': 'prune-previews',
  'masked-parent.yml': 'create-masked-parent',
}

/** The generated blocks of each file. */
const files: Record<string, Record<string, () => string>> = {
  'action.yml': { inputs: () => renderInputsYaml(), outputs: () => renderOutputsYaml() },
  ...Object.fromEntries(
    Object.entries(frontDoors).map(([file, door]) => [
      file,
      {
        inputs: () => renderInputsYaml(frontDoorInputs(door)),
        outputs: () => renderOutputsYaml(door.outputs),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(workflows).map(([name, operation]) => [
      `.github/workflows/${name}`,
      { inputs: () => renderCallInputs(operation), with: () => renderPassedInputs(operation) },
    ]),
  ),
  'docs/reference.md': {
    operations: renderOperationLists,
    inputs: renderInputLists,
    outputs: renderOutputLists,
  },
  'docs/masking.md': { rules: renderMaskingRules },
  'docs/migrations.md': { effects: renderEffects },
}

/**
 * Updates the generated blocks and files below the folder `root`, or with `check` only compares them.
 * @returns the stale files, a sentence each
 * @throws Error if one cannot be written
 */
export function updateReference(root: string, { check }: { check: boolean }): string[] {
  const update = (name: string, renew: (written: string) => string): string[] => {
    const file = join(root, name)
    const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
    let fresh: string
    try {
      fresh = renew(written)
    } catch (cause) {
      throw new Error(`${name} cannot be written: ${(cause as Error).message}`, { cause })
    }
    if (fresh === written) return []
    if (check) return [`${name} is stale; run: npm run reference`]
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, fresh)
    return []
  }
  const blocks = Object.entries(files).flatMap(([name, renders]) =>
    update(name, written =>
      Object.entries(renders).reduce((text, [block, render]) => replaceBlock(text, block, render()), written),
    ),
  )
  const whole = [
    ...update('docs/openapi.json', () => `${JSON.stringify(describeApi(), null, 2)}\n`),
    ...update('docs/operations.json', () => `${JSON.stringify(describeOperations(), null, 2)}\n`),
  ]
  // After the workflows that they derive from.
  const packageJson = readFileSync(join(root, 'package.json'), 'utf8')
  const published = `${publishedName(packageJson)}@v${JSON.parse(packageJson).version}`
  const variants = Object.keys(workflows).flatMap(name => {
    const workflow = readFileSync(join(root, '.github/workflows', name), 'utf8')
    return update(`ghes/${name}`, () => forEnterpriseServer(workflow, published))
  })
  return [...blocks, ...whole, ...variants]
}
