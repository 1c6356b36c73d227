/**
 * Makes the pictures of the README, docs/images/*.png, from a run of the committed action against the emulator. It
 * needs Chromium (`CHROMIUM` names it, by default /usr/bin/chromium) and, the first time, npm's registry.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installRenderers, photograph, renderPage } from './page.ts'
import { playRealRun } from './real-run.ts'

const root = resolve(import.meta.dirname, '../..')
/** The folder of the renderers; the variable RENDERERS may name one that has them already. */
const renderers = process.env.RENDERERS ?? join(root, 'node_modules/.cache/pictures')
const images = join(root, 'docs/images')
const width = 760

for (const folder of [renderers, images]) mkdirSync(folder, { recursive: true })
installRenderers(renderers)
const { comment, rehearsed, summary } = await playRealRun()
const [chart] = /^[\s\S]*```mermaid[\s\S]*?```/.exec(summary) ?? []
if (chart === undefined) throw new Error(`the summary has no chart: ${summary}`)
photograph(renderPage(comment, renderers, width), join(images, 'comment.png'), { width, height: 228 })
const migrations = rehearsed.slice(rehearsed.indexOf('###'))
photograph(renderPage(migrations, renderers, width), join(images, 'migrations.png'), { width, height: 606 })
photograph(renderPage(chart, renderers, width), join(images, 'chart.png'), { width, height: 390 })
