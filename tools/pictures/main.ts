/**
 * Creates the pictures of the README, docs/images/*.png, from a run of the committed action against the emulator. It
 * needs Chromium (`CHROMIUM` names it, by default /usr/bin/chromium) and, the first time, npm's registry.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { playRealRun } from './real-run.ts'

const root = resolve(import.meta.dirname, '../..')
const images = join(root, 'docs/images')
const width = 760
const backgrounds = { light: '#fff', dark: '#0d1117' }

/** Renderers of Markdown in GitHub's style. They are not dependencies, because only this tool needs them. */
const packages = ['marked@16', 'github-markdown-css@5']
const renderers = join(root, 'node_modules/.cache/pictures')

/** Installs the renderers, once. */
function installRenderers(): void {
  if (existsSync(join(renderers, 'node_modules/marked'))) return
  mkdirSync(renderers, { recursive: true })
  const args = ['install', '--prefix', renderers, '--ignore-scripts', '--no-audit', '--no-fund', ...packages]
  execFileSync('npm', args, { stdio: 'ignore', shell: process.platform === 'win32' })
}

/** The colored signs of a comment, drawn: few machines without a screen have a font for them. */
const signs = {
  '🟡': ['●', '#d4a72c'],
  '🟢': ['●', '#2da44e'],
  '🔵': ['●', '#0969da'],
  '🔴': ['●', '#cf222e'],
  '⚪': ['●', '#8c959f'],
  '❌': ['✖', '#cf222e'],
  '❗': ['!', '#cf222e'],
}

/** Markdown as a page in GitHub's style; it is rendered when it is opened. */
function renderPage(markdown: string, theme: keyof typeof backgrounds): string {
  const modules = join(renderers, 'node_modules')
  const style = readFileSync(join(modules, `github-markdown-css/github-markdown-${theme}.css`), 'utf8')
  const library = pathToFileURL(join(modules, 'marked/lib/marked.umd.js')).href
  const drawn = Object.entries(signs).reduce(
    (text, [sign, [shape, color]]) => text.replaceAll(sign, `<span style="color: ${color}">${shape}</span>`),
    markdown,
  )
  const text = JSON.stringify(drawn).replaceAll('<', '\\u003c')
  return `<!doctype html><meta charset="utf-8"><style>${style} body { margin: 0; background: ${backgrounds[theme]} }
.markdown-body { box-sizing: border-box; max-width: ${width}px; padding: 16px; margin: 0 auto }</style>
<article class="markdown-body"></article><script src="${library}"></script>
<script>document.querySelector('article').innerHTML = marked.parse(${text})</script>`
}

/** Takes a picture of a page. */
function takePicture(page: string, file: string, height: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  const source = join(folder, 'page.html')
  const flags = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    ...['--hide-scrollbars', '--virtual-time-budget=10000', `--user-data-dir=${join(folder, 'profile')}`],
    ...[`--window-size=${width},${height}`, `--screenshot=${file}`, pathToFileURL(source).href],
  ]
  try {
    writeFileSync(source, page)
    const browser = process.env.CHROMIUM ?? '/usr/bin/chromium'
    execFileSync(browser, flags, { stdio: 'ignore', timeout: 60_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

installRenderers()
const { comment, rehearsed } = await playRealRun()
const migrations = rehearsed.slice(rehearsed.indexOf('###', rehearsed.indexOf(':migrations -->')))
const pictures = [
  { name: 'comment', markdown: comment, height: 320 },
  { name: 'migrations', markdown: migrations, height: 570 },
]
for (const { name, markdown, height } of pictures) {
  takePicture(renderPage(markdown, 'light'), join(images, `${name}.png`), height)
  takePicture(renderPage(markdown, 'dark'), join(images, `${name}-dark.png`), height)
}
