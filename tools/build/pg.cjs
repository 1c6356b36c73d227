// Stands in the bundle for the database driver: its client alone, without pools, and without a driver in C that an
// environment variable would ask for.
exports.Client = require('pg/lib/client')
exports.DatabaseError = require('pg-protocol').DatabaseError
