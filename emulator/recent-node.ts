/** Refuses an old Node.js. */

/** The minimum in `engines` of package.json. */
const oldest = 22

// Imported first: an older Node.js would fail later with an unhelpful message.
const { node } = process.versions
if (Number.parseInt(node, 10) < oldest)
  throw new Error(`the emulator needs Node.js ${oldest} or newer, and this is ${node}`)
