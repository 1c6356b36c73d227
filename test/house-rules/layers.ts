/** Who may import whom: an ordered list of layers for each part of the project. */

/** Folders and files, from the lowest layer to the highest: each may import the lines above its own. */
export interface Part {
  /** The layers of other parts that this part may import, with all layers inside them. */
  on: readonly string[]
  layers: readonly (readonly string[])[]
}

const within = (folder: string, ...names: string[]) => names.map(name => `${folder}/${name}`)
const contents = (...names: string[]) => within('src/contents', ...names)
const clusters = (...names: string[]) => within('emulator/clusters', ...names)

const src: Part['layers'] = [
  ['src/base', 'src/node-version.ts'],
  ['src/postgres'],
  // A library about one database: no API, no GitHub.
  contents('quarantine', 'schema', 'sql'),
  contents('masking/plan', 'rehearsal/tap', 'rehearsal/result'),
  contents('notes', 'masking/mask'),
  contents('masking/prove', 'rehearsal/measure'),
  contents('masking/propose', 'rehearsal/judge'),
  contents('masking', 'rehearsal'),
  ['src/contents'],
  ['src/api/fields'],
  ['src/api'],
  ['src/client/network'],
  ['src/client'],
  ...['base', 'wait', 'create', 'cleanup'].map(name => within('src/operations', name)),
  ['src/operations'],
  ['src/preview/base'],
  within('src/preview', 'masked', 'on-github'),
  within('src/preview', 'prepare', 'services'),
  within('src/preview', 'reconcile', 'prune'),
  ['src/preview/operations'],
  ['src/preview'],
  ['src/database'],
  ...['ask', 'comment'].map(name => within('src/github', name)),
  ['src/github'],
  ...['secrets', 'host', 'inputs', 'outputs'].map(name => within('src/action', name)),
  ['src/action'],
  ['src/main.ts', 'src/post.ts'],
  ['src/run.ts'],
  ['src/index.ts', 'src/post-entry.ts'],
]

const emulator: Part['layers'] = [
  within('emulator', 'data-plane.ts', 'library-types.ts', 'omit-undefined.ts', 'dashboard'),
  // The action runs before its packages are installed, so it stands below all that needs them.
  ['emulator/client'],
  ['emulator/action', 'emulator/store'],
  ['emulator/openapi', 'emulator/persistence'],
  clusters('errors.ts', 'record.ts'),
  ...['machine', 'disk', 'installation', 'server'].map(name => clusters(name)),
  clusters('history', 'forwarding'),
  clusters('standby'),
  ['emulator/clusters', 'emulator/http'],
  ['emulator'],
  ['emulator/command'],
  ['emulator/main.ts'],
]

/** These tools know the action by its files alone, as its users do. From `src` they use only general functions. */
const apart = [within('tools', 'build', 'check-workflows', 'drift', 'release', 'runner'), ['tools/adopt']]
const tools = within('tools', 'bench', 'connect', 'live', 'quickstart', 'pictures')

export const parts: readonly Part[] = [
  { on: [], layers: src },
  { on: ['src/base', 'src/api'], layers: emulator },
  { on: ['src/base'], layers: apart },
  { on: ['src', 'emulator', 'tools'], layers: [['tools/reference'], tools, ['tools/histories']] },
  { on: ['src', 'emulator', 'tools'], layers: [['test']] },
]

/** The bundle's entries run as soon as they are imported: no other part may do so. */
export const entries = ['src/run.ts', 'src/index.ts', 'src/post-entry.ts']

/** An import that breaks the rules, and is known to. */
export interface KnownBreak {
  file: string
  imports: string
}

export const known: readonly KnownBreak[] = [
  // Loads the simulator once more for each broken variant of production code.
  { file: 'test/simulator/break-source.ts', imports: 'a module computed at run time' },
]
