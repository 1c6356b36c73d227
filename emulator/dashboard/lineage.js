import { $, element } from './elements.js'
import { toneOf } from './formats.js'

/** The room for a name, in Latin letters. Emoji and East Asian letters are twice as wide. */
const room = 36
const widthOf = letter => (letter.codePointAt(0) < 0x11_00 ? 1 : 2)

function shorten(name) {
  let shown = ''
  let width = 0
  for (const letter of name) {
    width += widthOf(letter)
    if (width < room) shown += letter
  }
  return width > room ? `${shown}…` : name
}

/** Draws which service is a fork or replica set of which, with a description in words. */
export function drawLineage({ services }) {
  const children = new Map()
  const known = new Set(services.map(service => service.service_id))
  const roots = []
  for (const service of services) {
    const parent = service.forked_from?.service_id
    if (!known.has(parent)) roots.push(service)
    else children.set(parent, [...(children.get(parent) ?? []), service])
  }
  const nodes = []
  const words = []
  const place = (node, depth, parent, isReplica = false) => {
    const placed = { ...node, depth, parent, isReplica, row: nodes.length }
    nodes.push(placed)
    if (parent) words.push(`${node.name} is a ${isReplica ? 'replica set' : 'fork'} of ${parent.name}`)
    for (const set of node.read_replica_sets ?? []) place(set, depth + 1, placed, true)
    for (const child of children.get(node.service_id) ?? []) place(child, depth + 1, placed)
  }
  for (const root of roots) place(root, 0, undefined)
  const scroll = $('#lineage .scroll')
  if (nodes.length === 0) return scroll.replaceChildren(element('p', { className: 'empty' }, 'None.'))
  // Drawn again only after a change.
  const key = JSON.stringify(nodes.map(({ name, status, depth, row }) => [name, status, depth, row]))
  if (scroll.dataset.key === key) return
  scroll.dataset.key = key
  const label = words.length === 0 ? 'No service is a fork of another.' : `${words.join('; ')}.`
  scroll.replaceChildren(drawTree(nodes, label))
}

function drawTree(nodes, label) {
  const [wide, high, step] = [290, 30, 28]
  const svg = (name, attributes, ...inner) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...inner)
    return made
  }
  const left = ({ depth }) => depth * step + 1
  const top = ({ row }) => row * (high + 10) + 1
  const drawn = nodes.map(node => {
    const [x, y] = [left(node), top(node)]
    const group = svg(
      'g',
      {},
      svg('rect', { x, y, width: wide, height: high, rx: 5 }),
      svg('circle', { cx: x + 14, cy: y + high / 2, r: 4, class: toneOf(node.status) }),
      svg('text', { x: x + 26, y: y + 20 }, shorten(node.name)),
      svg('title', {}, `${node.name}: ${node.status}`),
    )
    if (!node.parent) return group
    const [fromX, fromY] = [left(node.parent) + 12, top(node.parent) + high]
    const line = `M ${fromX} ${fromY} V ${y + high / 2 - 8} q 0 8 8 8 H ${x}`
    group.prepend(svg('path', { d: line, class: node.isReplica ? 'replica' : '' }))
    return group
  })
  const width = Math.max(...nodes.map(left)) + wide + 2
  const height = nodes.length * (high + 10)
  // In a narrower window, the whole drawing is smaller.
  const viewBox = `0 0 ${width} ${height}`
  return svg('svg', { role: 'img', 'aria-label': label, width, height, viewBox }, ...drawn)
}
