import { onSubmit, openDialog, unlocked } from './actions.js'
import { replicaColumns, serviceColumns, vpcColumns } from './columns.js'
import { $, notify, setText } from './elements.js'
import { preview } from './formats.js'
import { drawLineage } from './lineage.js'
import { ask, ofService, ofServices, page } from './page.js'
import { rowsOf } from './rows.js'
import { fillTable } from './tables.js'
import { newestEvent, showEvents } from './timeline.js'

/** Milliseconds between two reads. */
const pause = 1000

function show(overview) {
  page.latest = overview
  page.basePath = overview.basePath
  page.projectId = overview.project.id
  const { all, replicas, networks } = rowsOf(overview)
  const poolers =
    { PgBouncer: ', poolers are PgBouncer', relay: ', poolers are relays' }[overview.poolers] ?? ''
  setText($('#about'), `${location.origin}${page.basePath}, project ${page.projectId}${poolers}`)
  setText($('#made'), overview.about.join(' · '))
  fillTable(
    '#services',
    'Services',
    serviceColumns,
    all.filter(({ name }) => !preview.test(name)),
  )
  fillTable(
    '#previews',
    'Previews',
    serviceColumns,
    all.filter(({ name }) => preview.test(name)),
  )
  fillTable('#replicas', 'Read replica sets', replicaColumns, replicas)
  fillTable('#vpcs', 'VPCs and peerings', vpcColumns, networks)
  drawLineage(overview)
  showEvents(overview.events)
  for (const part of document.querySelectorAll('.scroll')) letKeyboardScroll(part)
}

/** The keyboard scrolls the focused part. A part that needs no scrolling gets no focus. */
function letKeyboardScroll(part) {
  const scrolls = part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth
  const title = part.parentElement.querySelector('h2').textContent
  const given = { tabindex: '0', role: 'region', 'aria-label': `${title}: contents` }
  for (const [name, value] of Object.entries(given)) {
    if (scrolls) part.setAttribute(name, value)
    else part.removeAttribute(name)
  }
}

onSubmit('#unlock', async elements => {
  const bytes = new TextEncoder().encode(`${elements.public.value.trim()}:${elements.secret.value.trim()}`)
  page.authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`
  try {
    await ask('GET', `${page.basePath}/auth/info`)
  } catch (error) {
    page.authorization = undefined
    throw error
  }
  elements.secret.value = ''
  showLock()
})
onSubmit('#create', elements => ask('POST', ofServices(), { name: elements.name.value.trim() }))
$('#ask-create').addEventListener('click', () => unlocked(() => openDialog('#create')))
onSubmit('#fork', async (elements, { id }) => {
  const body = { name: elements.name.value.trim(), fork_strategy: elements.strategy.value }
  await ask('POST', `${ofService(id)}/forkService`, body)
})
onSubmit('#delete', (_, { id }) => ask('DELETE', ofService(id)))

function showLock() {
  setText($('#lock'), page.authorization ? 'Lock' : 'Unlock')
  setText(
    $('#lock-state'),
    page.authorization ? 'Unlocked with the API key.' : 'Locked: buttons and passwords need the API key.',
  )
}

$('#lock').addEventListener('click', () => {
  if (!page.authorization) return openDialog('#unlock')
  page.authorization = undefined
  page.shown.clear()
  notify('')
  showLock()
  page.redraw()
})

let looking
let wasLost = false

/** Reads the overview; at most once at a time. */
function look() {
  looking ??= lookOnce().finally(() => {
    looking = undefined
  })
  return looking
}

async function lookOnce() {
  try {
    show(await ask('GET', `/emulator/overview?after=${newestEvent()}`))
    if (wasLost) notify('')
    wasLost = false
  } catch (error) {
    wasLost = true
    notify(`The emulator does not answer: ${error.message}`, true)
  }
}

async function keepLooking() {
  if (document.visibilityState === 'visible') await look()
  setTimeout(keepLooking, pause)
}

page.look = look
page.redraw = () => show({ ...page.latest, events: [] })
keepLooking()
