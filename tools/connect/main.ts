#!/usr/bin/env node
/** The command `managed-database-action`. */
import { connect } from './connect.ts'

process.exitCode = await connect(process.argv.slice(2), process)
