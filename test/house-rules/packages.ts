/** Which layers may import which packages. */

/** Layers that get time, randomness, the environment and the network as arguments, with all layers inside them. */
export const pure: readonly string[] = [
  ...['src/base', 'src/api', 'src/contents/quarantine', 'src/contents/schema', 'src/contents/masking'],
  ...['src/operations', 'src/preview', 'src/action/inputs', 'emulator/store'],
]

/**
 * Packages with the layers that may import them, and all layers inside those. A package stands for its parts too, and
 * `node:*` for every module of Node.js, except in pure layers.
 */
export const packages: Record<string, readonly string[]> = {
  '@actions/core': ['src/action/host'],
  '@actions/github': ['src/github/ask'],
  pg: ['src/postgres', 'emulator/client', 'emulator/clusters', 'tools/quickstart', 'test'],
  undici: ['src/client/network'],
  yaml: ['src/contents/masking', 'tools', 'test'],
  'zod/mini': ['src', 'emulator/openapi', 'emulator/http', 'tools/reference', 'test'],
  'node:buffer': ['src/contents/sql'],
  'node:crypto': [
    ...['src/contents/rehearsal/result', 'src/contents/masking', 'src/contents/sql', 'src/preview/base'],
  ],
  'node:events': ['src/contents/rehearsal/tap'],
  'node:fs': ['src/contents/sql', 'src/contents/masking/propose', 'src/github', 'src/postgres'],
  'node:net': ['src/postgres', 'src/contents/rehearsal/tap'],
  'node:path': ['src/contents/sql', 'src/preview/prepare'],
  'node:tls': ['src/contents/rehearsal/tap'],
  'node:util': ['src/contents/schema'],
  'node:zlib': ['src/contents/notes'],
  'node:*': ['src/client/network', 'src/action', 'src/run.ts', 'emulator', 'tools', 'test'],
  '@vercel/ncc': ['tools/build'],
  rolldown: ['tools/build', 'test'],
  vitest: ['test'],
  'fast-check': ['test'],
  'libpg-query': ['test'],
  ajv: ['test'],
  'ajv-formats': ['test'],
  '@actions/expressions': ['test'],
  '@actions/languageservice': ['test'],
  'vscode-languageserver-textdocument': ['test'],
}
