// Replaces undici's HTTP parser in the bundle, which is WebAssembly in base64: as a binary file it is a quarter
// smaller, and Node.js need not parse it as code.
module.exports = require('node:fs').readFileSync(`${__dirname}/llhttp.wasm`)
