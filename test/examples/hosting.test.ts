/** Tests by act that the database reaches the app's own preview: with each platform's command line as a fake that notes its use. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'
import { pullRequestEvent } from '../support/github/pull-request-event.ts'
import { useWorkspace } from '../support/workspace.ts'
import { type ActRepository, actProgram, openShop } from './support/act.ts'
import { useStage } from './support/setting.ts'
import { repository } from './support/workflow-file.ts'

const read = (path: string) => readFileSync(resolve(repository, path), 'utf8')

/** Records its arguments and its input; answers as `vercel list` and the API of Render do. */
const fake = `#!/usr/bin/env bash
input=""
case "$*" in *"env add"*|*import*|*@-*) input=$(cat) ;; esac
printf '%s %s < %s\\n' "$(basename "$0")" "$*" "$input" >> "$(dirname "$0")/used"
case "$*" in
  list*) echo https://shop-abc.vercel.app; echo https://shop-old.vercel.app ;;
  *--get*) echo '[{ "service": { "id": "srv-1" } }]' ;;
esac
`
const branch = "feature/it's-$(id)"

const stage = useStage()
const { path: bin, write } = useWorkspace()
let shop: ActRepository
beforeAll(async () => {
  for (const name of ['vercel', 'netlify', 'fly', 'railway', 'curl']) {
    write({ [name]: fake })
    chmodSync(join(bin, name), 0o755)
  }
  if (actProgram) shop = openShop(stage, { PATH: `${bin}:${process.env.PATH}` })
})
afterAll(() => shop?.remove())

/** Runs a workflow; returns the records of the fakes, and its log. */
async function happens(workflow: string, action: 'opened' | 'synchronize' | 'closed', number: number) {
  const used = join(bin, 'used')
  writeFileSync(used, '')
  const event = pullRequestEvent(action, { number })
  const head = { ...event.pull_request.head, ref: branch }
  const payload = { ...event, pull_request: { ...event.pull_request, head } }
  const { succeeded, log } = await shop.run('hosting.yml', workflow, { name: 'pull_request', payload })
  expect(succeeded, log).toBe(true)
  return readFileSync(used, 'utf8').split('\n').filter(Boolean)
}

/** From the opening to the closing, with a push between. */
async function live(workflow: string) {
  const number = stage.github.openPullRequest()
  const opened = await happens(workflow, 'opened', number)
  const pushed = await happens(workflow, 'synchronize', number)
  stage.github.closePullRequest(number)
  return { number, opened, pushed, closed: await happens(workflow, 'closed', number) }
}

const url = expect.stringMatching(/postgres(?:ql)?:\/\/\S+:\S+@\S+/)
const whole = read('examples/vercel.yml')
const [head = ''] = whole.split('\n      # The variable belongs')
const blocks = yamlBlocks(read('docs/hosting.md'))

describe.skipIf(!actProgram)('by act, the database reaches', { timeout: 300_000 }, () => {
  it('Vercel: set at each push, deployed again only for a new database, removed on close', async () => {
    const { opened, pushed, closed } = await live(whole)
    expect(opened).toEqual([
      expect.stringContaining(`vercel env add DATABASE_URL preview ${branch} --force`),
      expect.stringMatching(/^vercel list --meta githubCommitSha=[0-9a-f]{40} /),
      expect.stringContaining('vercel redeploy https://shop-abc.vercel.app '),
    ])
    expect(opened[0]).toEqual(url)
    expect(pushed).toEqual([expect.stringContaining('vercel env add DATABASE_URL')])
    expect(closed).toEqual([expect.stringContaining(`vercel env rm DATABASE_URL preview ${branch} --yes`)])
  })

  it.each([
    [
      'netlify',
      [/^netlify env:set DATABASE_URL postgres/, /^curl .*trigger_branch=feature%2Fit/],
      [/^netlify env:unset/],
    ],
    [
      'fly',
      [/^fly secrets import --app shop-pr-\d+ < DATABASE_URL=postgres/],
      [/^fly apps destroy shop-pr-\d+ --yes/],
    ],
    [
      'render.com',
      [/name=shop PR #\d+/, /srv-1\/env-vars\/DATABASE_URL < \{\s*"value": "postgres/, /srv-1\/deploys/],
      [],
    ],
    ['railway', [/^railway variables --set DATABASE_URL=postgres.* --environment shop-pr-\d+/], []],
  ])('%s: set once, and removed on close', async (name, set, removed) => {
    const block = blocks.find(({ text }) => text.includes(name))
    const { opened, pushed, closed } = await live(`${head}\n${block?.text}`)
    const used = (lines: string[]) =>
      lines
        .join('\n')
        .split(/\n(?=(?:netlify|curl|fly|railway) )/)
        .filter(Boolean)
    expect(used(opened)).toEqual(set.map(line => expect.stringMatching(line)))
    expect(pushed).toEqual([])
    expect(used(closed)).toEqual(removed.map(line => expect.stringMatching(line)))
  })
})
