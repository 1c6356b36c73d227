/** Finds the YAML blocks of documents. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'

/** The YAML blocks of a Markdown text, without the indentation of a list, each with the line of its start. */
export function yamlBlocks(markdown: string): { text: string; line: number }[] {
  return [...markdown.matchAll(/^( *)```ya?ml\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = '', 2: body = '', index }) => ({
      text: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, index).split('\n').length + 1,
    }),
  )
}

const head = 'on: push\npermissions: {}\n'
const concurrency = 'concurrency: { group: example }\n'

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
  if (/^jobs:/m.test(text)) return head + text
  if (/^ {2}[\w-]+:\n {4}\w/.test(text)) return head + concurrency + needed + text
  const indent = /^( *)- /m.exec(text)?.[1]
  if (indent === undefined) return text
  const steps = text.replace(new RegExp(`^${indent}`, 'gm'), '      ')
  return `${head}${concurrency}jobs:\n  example:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`
}
