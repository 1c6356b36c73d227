import { $, element } from './elements.js'

/** Rows by id: a row that stays keeps its nodes, and with them the focus. */
export function fillTable(place, label, columns, rows) {
  const scroll = $(`${place} .scroll`)
  if (rows.length === 0) {
    if (!scroll.querySelector('.empty')) scroll.replaceChildren(element('p', { className: 'empty' }, 'None.'))
    return
  }
  let table = scroll.querySelector('table')
  if (table === null) {
    const heads = columns.map(({ title, isNumber }) =>
      element('th', { scope: 'col', className: isNumber ? 'number' : '' }, title),
    )
    table = element('table', { 'aria-label': label }, element('thead', {}, element('tr', {}, ...heads)))
    table.append(element('tbody'))
    scroll.replaceChildren(table)
  }
  const body = table.tBodies[0]
  const known = new Map([...body.rows].map(row => [row.dataset.id, row]))
  let before = null
  for (const row of rows) {
    const found = known.get(row.id) ?? makeRow(row.id, columns)
    known.delete(row.id)
    if (before === null ? body.firstElementChild !== found : before.nextElementSibling !== found) {
      if (before === null) body.prepend(found)
      else before.after(found)
    }
    columns.forEach((column, index) => {
      column.fill(found.cells[index], row)
    })
    before = found
  }
  for (const gone of known.values()) gone.remove()
}

function makeRow(id, columns) {
  const row = element('tr')
  row.dataset.id = id
  columns.forEach(({ title, isNumber }, index) => {
    const properties = { className: isNumber ? 'number' : '' }
    const cell = index === 0 ? element('th', { ...properties, scope: 'row' }) : element('td', properties)
    // Shown beside the value if the window is too narrow for a table.
    cell.dataset.title = title
    row.append(cell)
  })
  return row
}
