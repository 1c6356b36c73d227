/** The folders of the caches that test processes share. */
import { resolve } from 'node:path'

const caches = resolve(import.meta.dirname, '../../node_modules/.cache')

/** The compile cache of test processes (Node.js documentation, "Module compile cache"). */
export const compileCache = resolve(caches, 'compile')

/** The emulator's template of databases (emulator/clusters/installation/installation.ts). */
export const templateCache = resolve(caches, 'database-template')
