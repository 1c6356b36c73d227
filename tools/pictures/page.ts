import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What makes Markdown look as on GitHub. Not dependencies: only whoever remakes the pictures needs them. */
const packages = ['marked@16', 'mermaid@11', 'github-markdown-css@5']

/** Installs what renders pages into the folder, once. */
export function installRenderers(folder: string): void {
  if (existsSync(join(folder, 'node_modules/mermaid'))) return
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages]
  execFileSync('npm', args, { stdio: 'ignore', shell: process.platform === 'win32' })
}

/** The coloured signs of a comment, drawn: few machines without a screen have a font for them. */
const signs = {
  '🟡': ['●', '#d4a72c'],
  '🟢': ['●', '#2da44e'],
  '🔵': ['●', '#0969da'],
  '🔴': ['●', '#cf222e'],
  '⚪': ['●', '#8c959f'],
  '❌': ['✖', '#cf222e'],
} as const

function drawSigns(markdown: string): string {
  return Object.entries(signs).reduce(
    (text, [sign, [shape, color]]) => text.replaceAll(sign, `<span style="color: ${color}">${shape}</span>`),
    markdown,
  )
}

/** Runs in the page. */
const script = (markdown: string, width: number) => `
  document.querySelector('article').innerHTML = marked.parse(${JSON.stringify(markdown).replaceAll('<', '\\u003c')})
  for (const code of document.querySelectorAll('code.language-mermaid')) {
    code.parentElement.className = 'mermaid'
    code.parentElement.textContent = code.textContent
  }
  mermaid.initialize({ startOnLoad: true, gantt: { useWidth: ${width - 64} } })`

/** Markdown as a page that looks as on GitHub; it is rendered when it is opened, charts included. */
export function renderPage(markdown: string, renderers: string, width: number): string {
  const modules = join(renderers, 'node_modules')
  const style = readFileSync(join(modules, 'github-markdown-css/github-markdown-light.css'), 'utf8')
  const libraries = ['marked/lib/marked.umd.js', 'mermaid/dist/mermaid.min.js'].map(
    file => `<script src="${pathToFileURL(join(modules, file)).href}"></script>`,
  )
  return `<!doctype html><meta charset="utf-8"><style>${style} body { margin: 0; background: #fff }
.markdown-body { box-sizing: border-box; max-width: ${width}px; padding: 16px; margin: 0 auto }</style>
<article class="markdown-body"></article>${libraries.join('')}
<script>${script(drawSigns(markdown), width)}</script>`
}

/** The browser that draws them; the variable CHROMIUM names another one. */
const browser = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Takes a picture of a page in the given width and height. */
export function photograph(
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
