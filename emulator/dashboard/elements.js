/** The first element that a selector of CSS names. */
export const $ = selector => document.querySelector(selector)

/** Creates an element; children are nodes or text, never HTML, because names come from callers. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value
    else made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

/** Changes a text only if it differs, so that nothing flickers and the focus stays. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

export function notify(text, isBad = false) {
  const notice = $('#notice')
  setText(notice, text)
  notice.classList.toggle('bad', isBad)
}
