/**
 * Creates the pictures of the README, docs/images/*.png, from a run of the committed action against the emulator. It
 * needs Chromium (`CHROMIUM` names it, by default /usr/bin/chromium) and, the first time, npm's registry.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installRenderers, renderPage, takePicture } from './page.ts'
import { playRealRun } from './real-run.ts'

const root = resolve(import.meta.dirname, '../..')
/** The folder of the renderers; the variable RENDERERS may name one that has them already. */
const renderers = process.env.RENDERERS ?? join(root, 'node_modules/.cache/pictures')
const images = join(root, 'docs/images')
const width = 760

for (const folder of [renderers, images]) mkdirSync(folder, { recursive: true })
installRenderers(renderers)
const { comment, rehearsed } = await playRealRun()
const migrations = rehearsed.slice(rehearsed.indexOf('###', rehearsed.indexOf(':migrations -->')))
const pictures = [
  { name: 'comment', markdown: comment, height: 320 },
  { name: 'migrations', markdown: migrations, height: 570 },
]
for (const { name, markdown, height } of pictures)
  for (const theme of ['light', 'dark'] as const) {
    const file = join(images, theme === 'light' ? `${name}.png` : `${name}-dark.png`)
    takePicture(renderPage(markdown, renderers, width, theme), file, { width, height })
  }
