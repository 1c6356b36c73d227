/** Builds the page of the dashboard. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A page of HTML, and the headers that it is sent with. */
export interface Page {
  html: string
  headers: Record<string, string>
}

let page: Page | undefined

/** The modules of the page's script, each after those that it imports. */
const modules = [
  ...['elements', 'page', 'formats', 'tables', 'rows', 'lineage', 'timeline'],
  ...['actions', 'columns', 'main'],
]

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A module as part of one script, without imports, which precede it. */
function joinable(module: string): string {
  return module.replaceAll(/^import [^']*'[^']*'\n/gm, '').replaceAll(/^export /gm, '')
}

function renderPage(): Page {
  const style = ['style', 'narrow'].map(name => read(`./${name}.css`)).join('\n')
  const script = modules.map(name => joinable(read(`./${name}.js`))).join('\n')
  const html = read('./page.html')
    .replace('/* the style */', () => style)
    .replace('/* the script */', () => script)
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

/**
 * The dashboard: one page that loads nothing from elsewhere. It contains no data; its script requests data
 * from the emulator. Its policy lets the browser run only this script, and lets no other page frame it.
 */
export function dashboardPage(): Page {
  page ??= renderPage()
  return page
}
