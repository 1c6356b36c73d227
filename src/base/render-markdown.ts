/** Renders the blocks of a report as GitHub's Markdown. The caller supplies the escapes and the limits. */
import { takeFitting } from './bytes.ts'
import { type Block, isEmpty, type Line, type Span } from './report.ts'

/** The escapes and limits of one place that shows Markdown. */
export interface MarkdownStyle {
  /** Escapes text in a line, or in a table cell of at most `longest` characters. */
  escapeText(text: string, longest?: number): string
  /** Escapes text as code in a line. */
  escapeCode(text: string): string
  /** Escapes a line of a code block. */
  escapeCodeLine(text: string): string
  /** Upper limit for the rows of a table and the items of a list, outside of details. */
  mostItems: number
  /** Upper limit for the whole text, in characters. */
  room: number
  /** A sentence that names the place of the omitted lines; may be empty. */
  whereOmitted: string
}

/** Upper limit for a span in a table cell, in characters. A finding may quote an error of GitHub. */
const longestCell = 500

/** Only an address of plain characters becomes a link: others could break the Markdown, or hide their destination. */
const plainAddress = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?:#[\w-]+)?$/

function renderSpan(span: Span, style: MarkdownStyle, longest: number | undefined): string {
  if (typeof span === 'string') {
    // An escape may trim the text, so the blanks that separate it from its neighbors are added again.
    const text = span.trim()
    if (text === '') return span === '' ? '' : ' '
    const before = /^\s/.test(span) ? ' ' : ''
    const after = /\s$/.test(span) ? ' ' : ''
    return `${before}${style.escapeText(text, longest)}${after}`
  }
  if ('code' in span) return style.escapeCode(span.code)
  const render = (parts: string | readonly Span[]) =>
    [parts]
      .flat()
      .map(part => renderSpan(part, style, longest))
      .join('')
  if ('strong' in span) return `**${render(span.strong)}**`
  if ('advice' in span) return `<br>→ *${render(span.advice).trim()}*`
  const name = style.escapeText(span.name)
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

/** A block as lines. The head and the tail are always shown. Lines at the end of the body may be omitted. */
interface Lines {
  head: string[]
  body: string[]
  tail: string[]
  /** The number of further lines that the block counts, but does not contain. */
  missing: number
  /** Lines that report how many were omitted. */
  more(count: number): string[]
}

function linesOf(block: Block & { kind: 'list' | 'table' | 'code' }, style: MarkdownStyle): Lines {
  if (block.kind === 'list')
    return {
      head: [],
      body: block.items.map(item => `- ${renderLine(item, style)}`),
      tail: [],
      missing: 0,
      more: count => [`- and ${count} more`],
    }
  const moreOf = (noun: string) => (count: number) => [
    '',
    `And ${count} more ${noun}.${style.whereOmitted && ` ${style.whereOmitted}`}`,
  ]
  if (block.kind === 'table') {
    const { columns, rows, noun, total } = block
    return {
      head: [renderRow(columns, style), `|${columns.map(() => '---|').join('')}`],
      body: rows.map(row => renderRow(row, style)),
      tail: [],
      missing: total - rows.length,
      more: moreOf(noun),
    }
  }
  const body = block.lines.map(line => style.escapeCodeLine(line))
  // The fence is longer than any run of backticks in the code.
  const runs = body.join('\n').match(/`+/g) ?? []
  const fence = '`'.repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 2))
  return {
    head: [`${fence}${block.language}`],
    body,
    tail: [fence],
    missing: 0,
    more: moreOf('lines'),
  }
}

function fitLines({ head, body, tail, missing, more }: Lines, most: number, room: number): string {
  const left = room - [...head, ...tail].join('\n').length
  const shown = takeFitting(body.slice(0, most), left, line => line.length + 1)
  const omitted = body.length - shown.length + missing
  return [...head, ...shown, ...tail, ...(omitted > 0 ? more(omitted) : [])].join('\n')
}

/** The style, the characters available for a block, and whether the block is inside details. */
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
    case 'small':
      return `<sub>${renderLine(block.line, style)}</sub>`
    case 'details': {
      const inner = renderInner(block.blocks, { ...place, isFolded: true })
      return `<details><summary>${style.escapeText(block.title)}</summary>\n\n${inner}\n\n</details>`
    }
    default:
      return fitLines(linesOf(block, style), isFolded ? Number.POSITIVE_INFINITY : style.mostItems, room)
  }
}

/** Blocks that may be shortened: details, and in details each list, table and code block. */
const isFlexible = ({ kind }: Block, isFolded: boolean) =>
  isFolded ? kind === 'list' || kind === 'table' || kind === 'code' : kind === 'details'

/** Room for the tags of details and for the line about omitted content, in characters. */
const frame = 300

function renderAll(blocks: readonly Block[], place: Place): string {
  const { room, isFolded } = place
  const shown = blocks.filter(block => !isEmpty(block))
  const fixed = shown.map(block =>
    isFlexible(block, isFolded) ? undefined : renderBlock(block, place, renderAll),
  )
  let left = room - fixed.reduce((sum, text) => sum + (text === undefined ? frame : text.length + 2), 0)
  let flexible = fixed.filter(text => text === undefined).length
  const texts = shown.map((block, index) => {
    const text = fixed[index]
    if (text !== undefined) return text
    // Room that one block does not need is available to the following blocks.
    const rendered = renderBlock(block, { ...place, room: Math.max(0, left / flexible) }, renderAll)
    left -= rendered.length
    flexible -= 1
    return rendered
  })
  return texts.filter(text => text !== '').join('\n\n')
}

/** Renders blocks as Markdown, in order, without empty ones. Shortens details if they do not all fit. */
export const renderMarkdown = (blocks: readonly Block[], style: MarkdownStyle): string =>
  renderAll(blocks, { style, room: style.room, isFolded: false })
