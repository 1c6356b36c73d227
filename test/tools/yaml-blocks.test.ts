/** Tests the YAML blocks of documents. */
import { expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { asWorkflow, yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'

it('finds the YAML blocks of a document, with their lines, and no others', () => {
  const text = 'a\n\n```yaml\non: push\n```\n\n```sh\nls\n```\n\n- b\n\n  ```yml\n  x:\n    y: 1\n  ```\n'
  expect(yamlBlocks(text)).toEqual([
    { text: 'on: push\n', line: 4 },
    { text: 'x:\n  y: 1\n', line: 14 },
  ])
})

test.each([
  ['a workflow', 'on: push\njobs: {}\n'],
  ['jobs', 'jobs:\n  test:\n    steps: []\n'],
  ['a job', '  test:\n    needs: preview\n    steps: []\n'],
  ['steps', '      - uses: a/b@v1\n        with: { x: 1 }\n      - run: ls\n'],
  ['steps below a comment', '  # first\n  - run: ls\n  - run: pwd\n'],
])('%s become a complete workflow', (_, text) => {
  const workflow = parse(asWorkflow(text))
  expect(workflow.on).toBe('push')
  expect(workflow.jobs).toBeDefined()
  if (text.includes('test:')) expect(workflow.jobs.test.steps).toEqual([])
  if (text.includes('- run')) expect(workflow.jobs.example.steps).toHaveLength(2)
})

it('gives a job that needs the preview every output of the reusable workflow', () => {
  const workflow = parse(asWorkflow('  test:\n    needs: preview\n    steps: []\n'))
  expect(Object.keys(workflow.jobs.preview.outputs)).toEqual(
    expect.arrayContaining(['host', 'service_id', 'sealed_url', 'skipped']),
  )
})
