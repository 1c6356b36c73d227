/** Renders the blocks of a report as GitHub's Markdown. The caller decides how a text is escaped, and how much fits. */
import { type Block, isEmpty, type Line, type Span } from './report.ts'

/** The escapes and limits of one place that shows Markdown. */
export interface MarkdownStyle {
  /** Any text within a line, or in a table's cell of at most `longest` characters. */
  words(text: string, longest?: number): string
  /** Any text as code within a line. */
  code(text: string): string
  /** A line within a block of code. */
  codeLine(text: string): string
  /** The most rows of a table, and items of a list, outside of details. */
  most: number
  /** Characters of the whole text. */
  room: number
  /** Where the reader finds lines that did not fit: a sentence. */
  rest: string
}

/** Characters of a piece of text in a table's cell. */
const longestCell = 200

/** Only an address of plain characters becomes a link: others could break the Markdown, or hide its destination. */
const plainAddress = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/

function renderSpan(span: Span, style: MarkdownStyle, longest: number | undefined): string {
  if (typeof span === 'string') {
    // An escape may trim a text: the blanks at its ends separate it from its neighbors.
    const text = span.trim()
    if (text === '') return span === '' ? '' : ' '
    const [before, after] = [/^\s/.test(span), /\s$/.test(span)].map(has => (has ? ' ' : ''))
    return `${before}${style.words(text, longest)}${after}`
  }
  if ('code' in span) return style.code(span.code)
  if ('strong' in span)
    return `**${[span.strong]
      .flat()
      .map(part => renderSpan(part, style, longest))
      .join('')}**`
  const name = style.words(span.name)
  return plainAddress.test(span.link) ? `[${name}](${span.link})` : name
}

const renderLine = (line: Line, style: MarkdownStyle, longest?: number) =>
  [line]
    .flat()
    .map(span => renderSpan(span, style, longest))
    .join('')
    .trim()

const renderRow = (cells: readonly Line[], style: MarkdownStyle) =>
  `| ${cells.map(cell => renderLine(cell, style, longestCell)).join(' | ')} |`

/** The lines that are always shown, and those of which the last may be left out. */
interface Lines {
  head: string[]
  body: string[]
  tail: string[]
  /** Below them, for lines that are left out. */
  more(count: number): string[]
}

function linesOf(block: Block & { kind: 'list' | 'table' | 'code' }, style: MarkdownStyle): Lines {
  if (block.kind === 'list')
    return {
      ...{ head: [], tail: [] },
      body: block.items.map(item => `- ${renderLine(item, style)}`),
      more: count => [`- and ${count} more`],
    }
  if (block.kind === 'table') {
    const { columns, rows, noun, total } = block
    return {
      head: [renderRow(columns, style), `|${columns.map(() => '---|').join('')}`],
      body: rows.map(row => renderRow(row, style)),
      tail: [],
      more: count => [
        '',
        `And ${count + total - rows.length} more ${noun}.${style.rest && ` ${style.rest}`}`,
      ],
    }
  }
  const body = block.lines.map(line => style.codeLine(line))
  // The fence is longer than any run of backticks within.
  const runs = body.join('\n').match(/`+/g) ?? []
  const fence = '`'.repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 2))
  return {
    head: [`${fence}${block.language}`],
    body,
    tail: [fence],
    more: count => ['', `And ${count} more lines.${style.rest && ` ${style.rest}`}`],
  }
}

/** As many of the first lines as fit. */
function fitLines({ head, body, tail, more }: Lines, most: number, room: number, hidden: number): string {
  let left = room - [...head, ...tail].join('\n').length
  const end = body.findIndex((line, index) => {
    left -= line.length + 1
    return index >= most || left < 0
  })
  const shown = end < 0 ? body : body.slice(0, end)
  const cut = body.length - shown.length
  return [...head, ...shown, ...tail, ...(cut + hidden > 0 ? more(cut) : [])].join('\n')
}

const hiddenRows = (block: Block) => (block.kind === 'table' ? block.total - block.rows.length : 0)

/** Where a block stands: how much room is left, and whether it is part of details. */
interface Place {
  style: MarkdownStyle
  room: number
  isFolded: boolean
}

function renderBlock(
  block: Block,
  place: Place,
  renderInner: (blocks: readonly Block[], place: Place) => string,
): string {
  const { style, room, isFolded } = place
  switch (block.kind) {
    case 'heading':
      return `### ${renderLine(block.line, style)}`
    case 'line':
      return renderLine(block.line, style)
    case 'details': {
      const inner = renderInner(block.blocks, { ...place, isFolded: true })
      return `<details><summary>${style.words(block.title)}</summary>\n\n${inner}\n\n</details>`
    }
    default:
      return fitLines(
        linesOf(block, style),
        isFolded ? Number.POSITIVE_INFINITY : style.most,
        room,
        hiddenRows(block),
      )
  }
}

/** What may be shortened: details, and within them each list, table and block of code. */
const isFlexible = ({ kind }: Block, isFolded: boolean) =>
  isFolded ? kind === 'list' || kind === 'table' || kind === 'code' : kind === 'details'

/** Room for the tags of details, and for a line about all that was left out. */
const frame = 300

function renderAll(blocks: readonly Block[], place: Place): string {
  const { room, isFolded } = place
  const shown = blocks.filter(block => !isEmpty(block))
  const firm = shown.map(block =>
    isFlexible(block, isFolded) ? undefined : renderBlock(block, place, renderAll),
  )
  let left = room - firm.reduce((sum, text) => sum + (text === undefined ? frame : text.length + 2), 0)
  let waiting = firm.filter(text => text === undefined).length
  const texts = shown.map((block, index) => {
    const text = firm[index]
    if (text !== undefined) return text
    // The room that one leaves is there for those behind it.
    const rendered = renderBlock(block, { ...place, room: Math.max(0, left / waiting) }, renderAll)
    left -= rendered.length
    waiting -= 1
    return rendered
  })
  return texts.filter(text => text !== '').join('\n\n')
}

/** Blocks as Markdown, in their order; empty ones are left out. Details are cut where all of them would not fit. */
export const renderMarkdown = (blocks: readonly Block[], style: MarkdownStyle): string =>
  renderAll(blocks, { style, room: style.room, isFolded: false })
