import { askDelete, askFork, togglePassword, toggleRunning, unlocked } from './actions.js'
import { element, setText } from './elements.js'
import { connection, renderAge, renderBytes, toneOf } from './formats.js'
import { page } from './page.js'

const plain = (title, text, isNumber = false) => ({
  title,
  isNumber,
  fill: (cell, row) => setText(cell, text(row)),
})

const nameColumn = {
  title: 'Name',
  fill(cell, { name, id }) {
    if (cell.childElementCount === 0) cell.append(element('span'), element('span', { className: 'id' }, id))
    setText(cell.firstChild, name)
  },
}

const statusColumn = {
  title: 'Status',
  fill(cell, { status }) {
    if (cell.childElementCount === 0) cell.append(element('span'))
    cell.firstChild.className = `status ${toneOf(status)}`
    setText(cell.firstChild, status)
  },
}

const connectionColumn = {
  title: 'Connection',
  fill(cell, { endpoint, passwordOf, name }) {
    if (cell.childElementCount === 0) {
      const toggle = element('button', { type: 'button' })
      toggle.addEventListener('click', () => togglePassword(passwordOf))
      cell.append(element('span', { className: 'address' }), ' ', toggle)
    }
    const [text, , toggle] = cell.childNodes
    const password = page.shown.get(passwordOf)
    setText(text, endpoint ? connection(endpoint, password) : 'none yet')
    toggle.hidden = !endpoint
    const word = password === undefined ? 'Show' : 'Hide'
    setText(toggle, word)
    toggle.setAttribute('aria-label', `${word} the password of ${name}`)
  },
}

const actionsColumn = {
  title: 'Actions',
  fill(cell, row) {
    if (cell.childElementCount === 0) {
      const button = (text, act) => {
        const made = element('button', { type: 'button' }, text)
        made.addEventListener('click', () => unlocked(() => act(cell.service)))
        return made
      }
      cell.append(button('Fork', askFork), button('Stop', toggleRunning), button('Delete', askDelete))
    }
    cell.service = row
    const [fork, run, remove] = cell.children
    setText(run, row.status === 'PAUSED' || row.status === 'UNSTABLE' ? 'Start' : 'Stop')
    fork.disabled = !['READY', 'PAUSED'].includes(row.status)
    run.disabled = !['READY', 'PAUSED', 'UNSTABLE'].includes(row.status)
    remove.disabled = row.status === 'DELETING'
    for (const button of [fork, run, remove]) {
      button.setAttribute('aria-label', `${button.textContent} ${row.name}`)
    }
  },
}

const databaseColumns = parentTitle => [
  nameColumn,
  statusColumn,
  plain('Age', ({ created }) => renderAge(created), true),
  plain(parentTitle, ({ parent }) => parent),
  plain('Size', ({ size }) => size),
  plain('On disk', ({ diskBytes }) => renderBytes(diskBytes), true),
  plain('Sessions', ({ sessions }) => (sessions === undefined ? '–' : String(sessions)), true),
  connectionColumn,
]
export const serviceColumns = [...databaseColumns('Parent'), actionsColumn]
export const replicaColumns = databaseColumns('Of')
export const vpcColumns = [
  nameColumn,
  plain('Range', ({ cidr }) => cidr),
  plain('Region', ({ region }) => region),
  plain('Peering', ({ peering }) => peering),
  statusColumn,
]
