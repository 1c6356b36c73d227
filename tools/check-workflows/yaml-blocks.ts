/** Finds the YAML blocks of documents. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'

/** A block of YAML in a document, and the line of its start. */
export interface YamlBlock {
  text: string
  line: number
}

/** The YAML blocks of a Markdown text, without the indentation of a list. */
export function yamlBlocks(markdown: string): YamlBlock[] {
  return [...markdown.matchAll(/^( *)```ya?ml\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = '', 2: body = '', index }) => ({
      text: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, index).split('\n').length + 1,
    }),
  )
}

const job =
  'on: push\npermissions: {}\nconcurrency: { group: example }\njobs:\n  example:\n    runs-on: ubuntu-latest\n'

const reusable = resolve(import.meta.dirname, '../../.github/workflows/preview.yml')
const { outputs } = parse(readFileSync(reusable, 'utf8')).on.workflow_call

/** The job that a block's own job may need. It has the outputs of the reusable workflow. */
const needed = `jobs:
  preview:
    name: Preview
    runs-on: ubuntu-latest
    outputs: ${JSON.stringify(Object.fromEntries(Object.keys(outputs).map(name => [name, 'example'])))}
    steps: [{ run: 'true' }]
`

/** A block as a complete workflow: a list of steps, one job, or the jobs alone, with the missing parts added. */
export function asWorkflow(text: string): string {
  if (/^on:/m.test(text)) return text
  if (/^jobs:/m.test(text)) return `on: push\npermissions: {}\n${text}`
  if (/^ {2}[\w-]+:\n {4}\w/.test(text))
    return `on: push\npermissions: {}\nconcurrency: { group: example }\n${needed}${text}`
  const indent = /^( *)- /m.exec(text)?.[1]
  if (indent === undefined) return text
  const steps = text.replace(new RegExp(`^${indent}`, 'gm'), '      ')
  return `${job}    steps:\n${steps}`
}
