// As with-crypto.cjs, with answers decoded by src/api.
const { randomInt } = require('node:crypto')
const { Service } = require('../../../build/api/records.js')

require('./requests.cjs').run(text => Service.parse(JSON.parse(text)), `fork-${randomInt(1e9)}`)
