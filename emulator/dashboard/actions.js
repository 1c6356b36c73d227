import { $, notify, setText } from './elements.js'
import { ask, ofService, page } from './page.js'

/** Runs an action that needs the key; asks for the key first if the page has none. */
export function unlocked(act) {
  if (page.authorization) act()
  else openDialog('#unlock')
}

async function attempt(what, act) {
  try {
    await act()
    notify(what)
  } catch (error) {
    notify(`${what}: ${error.message}`, true)
  }
  await page.look()
}

export const toggleRunning = ({ id, name, status }) => {
  const word = status === 'READY' ? 'stop' : 'start'
  return attempt(`${word} ${name}`, () => ask('POST', `${ofService(id)}/${word}`))
}

export function togglePassword(id) {
  if (page.shown.delete(id)) return page.redraw()
  unlocked(() =>
    attempt('password shown', async () => {
      const { password } = await ask('GET', `/emulator/services/${id}/password`)
      page.shown.set(id, password)
    }),
  )
}

export function openDialog(id, title, service) {
  const dialog = $(id)
  dialog.service = service
  if (title) setText(dialog.querySelector('h2'), title)
  setText(dialog.querySelector('.problem'), '')
  dialog.querySelector('form').reset()
  dialog.showModal()
  return dialog
}

export function askFork(service) {
  const dialog = openDialog('#fork', `Fork ${service.name}`, service)
  dialog.querySelector('form').elements.name.value = `${service.name}-fork`
}

export const askDelete = service => openDialog('#delete', `Delete ${service.name}?`, service)

/** Runs `act` when a dialog's form is submitted; if it fails, the dialog stays open with the reason. */
export function onSubmit(id, act) {
  const dialog = $(id)
  const form = dialog.querySelector('form')
  dialog.querySelector('[value=cancel]').addEventListener('click', () => dialog.close())
  form.addEventListener('submit', async event => {
    event.preventDefault()
    try {
      await act(form.elements, dialog.service)
      dialog.close()
      await page.look()
    } catch (error) {
      setText(dialog.querySelector('.problem'), error.message)
    }
  })
}
