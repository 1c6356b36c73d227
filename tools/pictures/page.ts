/** Renders Markdown pages, and takes their pictures. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Renderers of Markdown in GitHub's style. They are not dependencies, because only this tool needs them. */
const packages = ['marked@16', 'github-markdown-css@5']

/** Installs the renderers into the folder, once. */
export function installRenderers(folder: string): void {
  if (existsSync(join(folder, 'node_modules/marked'))) return
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages]
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
} as const

function drawSigns(markdown: string): string {
  return Object.entries(signs).reduce(
    (text, [sign, [shape, color]]) => text.replaceAll(sign, `<span style="color: ${color}">${shape}</span>`),
    markdown,
  )
}

/** Runs in the page. */
const script = (markdown: string) =>
  `document.querySelector('article').innerHTML = marked.parse(${JSON.stringify(markdown).replaceAll('<', '\\u003c')})`

const backgrounds = { light: '#fff', dark: '#0d1117' } as const

export type Theme = keyof typeof backgrounds

/** Markdown as a page in GitHub's style; it is rendered when it is opened. */
export function renderPage(
  markdown: string,
  renderers: string,
  width: number,
  theme: Theme = 'light',
): string {
  const modules = join(renderers, 'node_modules')
  const style = readFileSync(join(modules, `github-markdown-css/github-markdown-${theme}.css`), 'utf8')
  const library = pathToFileURL(join(modules, 'marked/lib/marked.umd.js')).href
  return `<!doctype html><meta charset="utf-8"><style>${style} body { margin: 0; background: ${backgrounds[theme]} }
.markdown-body { box-sizing: border-box; max-width: ${width}px; padding: 16px; margin: 0 auto }</style>
<article class="markdown-body"></article><script src="${library}"></script>
<script>${script(drawSigns(markdown))}</script>`
}

/** The browser that draws them; the variable CHROMIUM names another one. */
const browser = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Takes a picture of a page in the given width and height. */
export function takePicture(
  page: string,
  file: string,
  { width, height }: { width: number; height: number },
): void {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  const source = join(folder, 'page.html')
  const flags = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    ...['--hide-scrollbars', '--virtual-time-budget=10000', `--user-data-dir=${join(folder, 'profile')}`],
    ...[`--window-size=${width},${height}`, `--screenshot=${file}`],
  ]
  try {
    writeFileSync(source, page)
    execFileSync(browser, [...flags, pathToFileURL(source).href], { stdio: 'ignore', timeout: 60_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
