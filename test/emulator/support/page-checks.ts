/** Runs in the page: finds elements that overflow the window or their scrolling container. */
export const findCut = `() => [...document.querySelectorAll('main button, main .address, main svg, main g, main td, main li, header *')]
  .filter(node => node.checkVisibility())
  .filter(node => {
    const { left, right } = node.getBoundingClientRect()
    const part = (node.closest('section') ?? document.body).getBoundingClientRect()
    return left < part.left || right > part.right || right > innerWidth
  })
  .map(node => node.outerHTML)`

/** Run in the page: the text with the least contrast to its background (WCAG 2.2, "Contrast (Minimum)"). */
export const leastContrast = `() => {
  const parse = color => color.match(/[\\d.]+/g).map(Number)
  const light = color => {
    const [r, g, b] = parse(color).map(part => part / 255).map(part =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const [, , , alpha = 1] = parse(getComputedStyle(at).backgroundColor)
      if (alpha > 0) return getComputedStyle(at).backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const texts = [...document.querySelectorAll('body *')].filter(node =>
    node.checkVisibility() && !node.disabled && [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
  const all = texts.filter(node => !node.closest('svg, script, style')).map(node => {
    const [one, other] = [light(getComputedStyle(node).color), light(behind(node))].sort((a, b) => b - a)
    return { ratio: (one + 0.05) / (other + 0.05), text: node.textContent }
  })
  return all.sort((a, b) => a.ratio - b.ratio)[0]
}`
