// As with-crypto.cjs, and the answers are decoded as src/api says.
const { randomInt } = require('node:crypto')
const { Service } = require('../../../build/api/records.js')

require('./requests.cjs').run(text => Service.parse(JSON.parse(text)), `fork-${randomInt(1e9)}`)
