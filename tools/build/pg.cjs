// Replaces the database driver in the bundle: only its client, without pools, and without the native driver that an
// environment variable would select.
exports.Client = require('pg/lib/client')
