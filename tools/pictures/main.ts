/**
 * Makes the pictures of the README from a run of the committed action against the emulator. It needs Chromium
 * (`CHROMIUM` names it, by default /usr/bin/chromium) and, the first time, npm's registry.
 *
 *     npm run pictures                                  docs/images/*.png
 *     npm run pictures -- --look README.md <folder>     a document at the width of a desktop and of a phone
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installRenderers, photograph, renderPage } from './page.ts'
import { playRealRun } from './real-run.ts'

const root = resolve(import.meta.dirname, '../..')
/** The folder of the renderers; the variable RENDERERS may name one that has them already. */
const renderers = process.env.RENDERERS ?? join(root, 'node_modules/.cache/pictures')

async function remake(): Promise<void> {
  const folder = join(root, 'docs/images')
  mkdirSync(folder, { recursive: true })
  const { comment, summary } = await playRealRun()
  const [chart] = /^[\s\S]*```mermaid[\s\S]*?```/.exec(summary) ?? []
  if (chart === undefined) throw new Error(`the summary has no chart: ${summary}`)
  photograph(renderPage(comment, renderers, 760), join(folder, 'comment.png'), {
    width: 760,
    height: 188,
  })
  photograph(renderPage(chart, renderers, 760), join(folder, 'chart.png'), { width: 760, height: 320 })
}

async function look(document: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const markdown = readFileSync(resolve(document), 'utf8').replaceAll('src="docs/', `src="${root}/docs/`)
  for (const width of [1200, 390]) {
    const page = renderPage(markdown, renderers, Math.min(width, 1012))
    // Chromium has no window narrower than 500 pixels; the page in it is as narrow as it should be.
    const frame = { width: Math.max(width, 500), height: 6000 }
    photograph(page, join(folder, `${basename(document, '.md')}-${width}.png`), frame)
  }
}

const { values, positionals } = parseArgs({ options: { look: { type: 'string' } }, allowPositionals: true })
mkdirSync(renderers, { recursive: true })
installRenderers(renderers)
if (values.look === undefined) await remake()
else await look(values.look, resolve(positionals[0] ?? '.'))
