/** What `engines` of package.json asks for. */
const oldest = 22

// Imported before all else: what an older Node.js lacks would fail further down, in words that help nobody.
const { node } = process.versions
if (Number.parseInt(node, 10) < oldest)
  throw new Error(`the emulator needs Node.js ${oldest} or newer, and this is ${node}`)
