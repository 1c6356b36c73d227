/** A part of the project, and all that its files may import beside each other. */
export interface Room {
  rooms: readonly string[]
  /** Neither it nor a room inside it reads a clock or asks for chance, the environment or the network, but by what it is given. */
  isPure?: true
  /** `node:*` stands for every module of Node.js; a package for its parts as well. */
  packages: readonly string[]
}

const tests = [
  'vitest',
  'fast-check',
  'libpg-query',
  'pg',
  'yaml',
  'ajv',
  'ajv-formats',
  'zod/mini',
  'rolldown',
  'node:*',
]
const languageServices = [
  '@actions/expressions',
  '@actions/languageservice',
  'vscode-languageserver-textdocument',
]

const operations = (...names: string[]) => names.map(name => `src/operations/${name}`)
const previews = (...names: string[]) => names.map(name => `src/preview/${name}`)
const clusters = (...names: string[]) => names.map(name => `emulator/clusters/${name}`)

/**
 * Who may import whom: a room is a folder or a file, each may import those named beside it. The lowest comes first,
 * and no room may name one that stands below it in this table, so that everything can be read from the top.
 */
export const rooms: Record<string, Room> = {
  // What ships.
  // The ground floor: small things that serve all, the emulator too.
  'src/base': { isPure: true, rooms: [], packages: ['zod/mini'] },
  'src/api/fields': { rooms: [], packages: ['zod/mini'] },
  'src/api': { isPure: true, rooms: ['src/api/fields'], packages: ['zod/mini'] },
  'src/client/network': { rooms: ['src/base'], packages: ['undici', 'node:*'] },
  'src/client': { rooms: ['src/base', 'src/api', 'src/client/network'], packages: [] },
  'src/postgres': { rooms: ['src/base'], packages: ['pg', 'node:net', 'node:fs'] },
  // What a database holds. It is a file of its own in the bundle, which loses the licences of packages: it has none.
  'src/contents/quarantine': { isPure: true, rooms: ['src/base', 'src/postgres'], packages: [] },
  'src/contents/schema': { isPure: true, rooms: ['src/base', 'src/postgres'], packages: [] },
  'src/contents/sql': { rooms: ['src/base', 'src/postgres'], packages: ['node:fs', 'node:path'] },
  // What is to become of each column; doing it; searching for what was there before.
  'src/contents/masking/plan': {
    rooms: ['src/base', 'src/postgres', 'src/contents/sql'],
    packages: ['yaml'],
  },
  'src/contents/masking/mask': {
    rooms: ['src/base', 'src/postgres', 'src/contents/masking/plan'],
    packages: [],
  },
  'src/contents/masking/prove': {
    rooms: ['src/postgres', 'src/contents/masking/plan', 'src/contents/masking/mask'],
    packages: [],
  },
  'src/contents/masking': {
    isPure: true,
    rooms: [
      ...['src/base', 'src/postgres', 'src/contents/sql', 'src/contents/masking/plan'],
      ...['src/contents/masking/mask', 'src/contents/masking/prove'],
    ],
    packages: [],
  },
  // Between a client and a database: sees each statement, and asks what it did.
  'src/contents/rehearsal/proxy': {
    rooms: ['src/base', 'src/postgres', 'src/contents/sql'],
    packages: ['node:net', 'node:tls'],
  },
  // What a migration did, as it is kept and told.
  'src/contents/rehearsal/result': {
    rooms: ['src/base', 'src/contents/sql'],
    packages: ['zod/mini', 'node:crypto'],
  },
  'src/contents/rehearsal/measure': {
    rooms: [
      ...['src/base', 'src/postgres', 'src/contents/sql'],
      ...['src/contents/rehearsal/proxy', 'src/contents/rehearsal/result'],
    ],
    packages: [],
  },
  // What is beyond the limits, and what to do instead.
  'src/contents/rehearsal/judge': {
    rooms: [
      ...['src/base', 'src/contents/sql'],
      ...['src/contents/rehearsal/result', 'src/contents/rehearsal/measure'],
    ],
    packages: [],
  },
  // A migration run on a copy of the data.
  'src/contents/rehearsal': {
    rooms: [
      ...['src/base', 'src/postgres', 'src/contents/sql'],
      ...['proxy', 'result', 'measure', 'judge'].map(room => `src/contents/rehearsal/${room}`),
    ],
    packages: [],
  },
  // The database of a service, opened by its owner: what is kept in it, what fills it.
  'src/contents/database': {
    rooms: [
      ...['src/base', 'src/postgres'],
      ...['src/contents/quarantine', 'src/contents/sql', 'src/contents/masking', 'src/contents/schema'],
    ],
    packages: ['node:crypto', 'node:zlib', 'zod/mini'],
  },
  // Running a row of the contract, from what each operation is given to the operations themselves.
  'src/operations/base': {
    rooms: [
      'src/base',
      'src/api',
      'src/client',
      'src/postgres',
      'src/contents/quarantine',
      'src/contents/sql',
      'src/contents/masking',
      'src/contents/schema',
      'src/contents/rehearsal/result',
    ],
    packages: ['zod/mini'],
  },
  'src/operations/wait': {
    rooms: ['src/base', 'src/api', 'src/client', 'src/postgres', ...operations('base')],
    packages: [],
  },
  'src/operations/create': {
    rooms: ['src/base', 'src/api', 'src/client', ...operations('base', 'wait')],
    packages: [],
  },
  'src/operations/end': {
    rooms: ['src/base', 'src/api', 'src/client', ...operations('base', 'wait', 'create')],
    packages: [],
  },
  'src/operations': {
    isPure: true,
    rooms: [
      ...['src/base', 'src/api', 'src/client', 'src/contents/quarantine'],
      ...operations('base', 'wait', 'create', 'end'),
    ],
    packages: ['zod/mini'],
  },
  // A preview's life, from what it is to what an event calls for.
  'src/preview/base': {
    rooms: [
      ...['src/base', 'src/api', 'src/client', 'src/contents/sql', 'src/contents/rehearsal/result'],
      'src/operations',
    ],
    packages: ['zod/mini', 'node:crypto'],
  },
  // Masked copies of production, which previews are forked from.
  'src/masked': {
    rooms: [
      ...['src/base', 'src/api', 'src/contents/sql', 'src/contents/quarantine', 'src/operations'],
      ...previews('base'),
    ],
    packages: ['zod/mini'],
  },
  'src/preview/on-github': {
    rooms: [
      'src/base',
      'src/api',
      'src/postgres',
      'src/contents/quarantine',
      'src/operations',
      'src/preview/base',
    ],
    packages: [],
  },
  // What is done in a preview's database before anybody gets the way in.
  'src/preview/prepare': {
    rooms: [
      ...[
        'src/base',
        'src/api',
        'src/postgres',
        'src/contents/database',
        'src/contents/quarantine',
        'src/contents/sql',
        'src/operations',
      ],
      ...previews('base', 'on-github'),
    ],
    packages: ['zod/mini', 'node:path'],
  },
  // What is done to one service: create, start, log in, delete.
  'src/preview/services': {
    rooms: [
      ...['src/base', 'src/api', 'src/client', 'src/postgres', 'src/operations', 'src/masked'],
      ...previews('base', 'on-github'),
    ],
    packages: [],
  },
  // Observe, decide, perform one step: the whole life of one preview.
  'src/preview/reconcile': {
    rooms: [
      ...['src/base', 'src/api', 'src/client', 'src/contents/sql', 'src/operations'],
      ...previews('base', 'on-github', 'prepare', 'services'),
    ],
    packages: [],
  },
  'src/preview/prune': {
    rooms: [
      ...['src/base', 'src/api', 'src/client', 'src/operations', 'src/masked'],
      ...previews('base', 'on-github', 'services'),
    ],
    packages: [],
  },
  'src/preview/operations': {
    rooms: [
      ...['src/base', 'src/api', 'src/operations'],
      ...previews('base', 'on-github', 'prepare', 'services', 'reconcile'),
    ],
    packages: [],
  },
  'src/preview': {
    isPure: true,
    rooms: [
      ...['src/base', 'src/api', 'src/operations'],
      ...previews('base', 'on-github', 'prune', 'operations'),
    ],
    packages: ['zod/mini'],
  },
  // The operations on what a database holds, wherever it is.
  'src/database': {
    rooms: [
      ...[
        'src/base',
        'src/api',
        'src/postgres',
        'src/operations',
        'src/contents/sql',
        'src/contents/rehearsal/proxy',
        'src/contents/rehearsal',
        'src/contents/schema',
        'src/contents/database',
      ],
      ...previews('base', 'operations'),
    ],
    packages: ['zod/mini', 'node:crypto'],
  },
  'src/github/ask': {
    rooms: ['src/base', 'src/client', 'src/preview/base'],
    packages: ['@actions/github', 'zod/mini'],
  },
  'src/github/comment': {
    rooms: ['src/base', 'src/contents/rehearsal/result', 'src/preview/base', 'src/github/ask'],
    packages: ['zod/mini'],
  },
  'src/github': {
    rooms: ['src/base', 'src/client', 'src/preview/base', 'src/github/ask', 'src/github/comment'],
    packages: ['zod/mini', 'node:fs'],
  },
  'src/action/secrets': { rooms: ['src/base'], packages: ['node:*'] },
  'src/action/host': {
    rooms: ['src/base', 'src/client', 'src/operations', 'src/action/secrets'],
    packages: ['@actions/core', 'node:*'],
  },
  'src/action/inputs': {
    rooms: [
      ...['src/base', 'src/api', 'src/client', 'src/operations', 'src/preview'],
      ...['src/database', 'src/masked', 'src/action/secrets'],
    ],
    packages: ['zod/mini'],
  },
  'src/action/outputs': {
    rooms: [
      ...['src/base', 'src/api', 'src/postgres', 'src/contents/quarantine', 'src/contents/rehearsal/result'],
      'src/contents/schema',
      ...['src/operations', 'src/preview', 'src/action/secrets', 'src/action/host'],
    ],
    packages: ['node:*'],
  },
  'src/action': {
    rooms: [
      ...[
        'src/base',
        'src/api',
        'src/client',
        'src/postgres',
        'src/contents/quarantine',
        'src/contents/database',
        'src/operations',
      ],
      ...['src/preview', 'src/github'],
      ...['src/action/secrets', 'src/action/host', 'src/action/inputs', 'src/action/outputs'],
    ],
    packages: ['zod/mini', 'node:*'],
  },
  'src/main.ts': { rooms: ['src/action', 'src/github'], packages: [] },
  'src/post.ts': { rooms: ['src/action', 'src/github', 'src/operations'], packages: [] },
  'src/run.ts': { rooms: ['src/action', 'src/main.ts', 'src/post.ts'], packages: ['node:path', 'node:v8'] },
  'src/node-version.ts': { rooms: [], packages: [] },
  'src/index.ts': { rooms: ['src/node-version.ts', 'src/run.ts'], packages: [] },
  'src/post-entry.ts': { rooms: ['src/action', 'src/node-version.ts', 'src/run.ts'], packages: [] },

  // The emulator: the API's contract is all that it shares with what ships.
  'emulator/data-plane.ts': { rooms: [], packages: [] },
  'emulator/store': { isPure: true, rooms: ['src/api', 'emulator/data-plane.ts'], packages: [] },
  // The databases, from the machine that they run on up to the services that they belong to.
  'emulator/clusters/errors.ts': { rooms: [], packages: [] },
  'emulator/clusters/record.ts': { rooms: ['emulator/data-plane.ts'], packages: [] },
  'emulator/clusters/machine': {
    rooms: ['emulator/data-plane.ts', ...clusters('errors.ts')],
    packages: ['node:*'],
  },
  'emulator/clusters/disk': { rooms: clusters('errors.ts', 'machine'), packages: ['node:*'] },
  'emulator/clusters/installation': {
    rooms: clusters('errors.ts', 'machine', 'disk'),
    packages: ['node:*'],
  },
  'emulator/clusters/server': {
    rooms: ['emulator/data-plane.ts', ...clusters('errors.ts', 'machine', 'disk', 'installation')],
    packages: ['pg', 'node:*'],
  },
  'emulator/clusters/history': {
    rooms: [
      'emulator/data-plane.ts',
      ...clusters('errors.ts', 'record.ts', 'disk', 'installation', 'server'),
    ],
    packages: ['pg', 'node:*'],
  },
  'emulator/clusters/standby': {
    rooms: [
      'emulator/data-plane.ts',
      ...clusters('errors.ts', 'record.ts', 'disk', 'installation', 'server', 'history'),
    ],
    packages: ['pg', 'node:*'],
  },
  'emulator/clusters/doors': {
    rooms: [
      'emulator/data-plane.ts',
      ...clusters('errors.ts', 'record.ts', 'machine', 'disk', 'installation', 'server'),
    ],
    packages: ['node:*'],
  },
  'emulator/clusters': { rooms: ['emulator/data-plane.ts', 'src/base'], packages: ['node:*'] },
  // The API described for others, from the contract.
  'emulator/openapi': { rooms: ['src/api', 'emulator/store'], packages: ['zod/mini'] },
  // What --data keeps from one emulator to the next.
  'emulator/kept': { rooms: ['emulator/store'], packages: ['node:*'] },
  // One page of HTML, which knows the emulator by what it is sent.
  'emulator/dashboard': { rooms: [], packages: ['node:*'] },
  'emulator/http': {
    rooms: [
      ...['src/api', 'emulator/data-plane.ts', 'emulator/store', 'emulator/openapi'],
      ...['emulator/kept', 'emulator/dashboard'],
    ],
    packages: ['zod/mini', 'node:*'],
  },
  'emulator/library-types.ts': { rooms: [], packages: [] },
  // Calls an emulator that runs: for tests of others, the action and commands. pg is loaded where it is needed.
  'emulator/client': { rooms: ['emulator/library-types.ts'], packages: ['pg', 'node:*'] },
  emulator: {
    rooms: [
      'emulator/library-types.ts',
      'emulator/client',
      'emulator/store',
      'emulator/clusters',
      'emulator/kept',
      'emulator/http',
    ],
    packages: ['node:*'],
  },
  'emulator/command': {
    rooms: [
      'src/base',
      'emulator/library-types.ts',
      'emulator/client',
      'emulator/store',
      'emulator/http',
      'emulator',
    ],
    packages: ['node:*'],
  },
  'emulator/main.ts': {
    rooms: ['emulator', 'emulator/store', 'emulator/command', 'emulator/http'],
    packages: ['node:*'],
  },
  // Starts the emulator as a step of a job. Of packages only pg, and that once they are installed.
  'emulator/action': { rooms: ['emulator/client'], packages: ['node:*'] },

  // What developers run.
  'tools/build': { rooms: [], packages: ['@vercel/ncc', 'rolldown', 'node:*'] },
  'tools/check-workflows': { rooms: [], packages: ['node:*'] },
  'tools/release': { rooms: [], packages: ['yaml', 'node:*'] },
  'tools/drift': { rooms: [], packages: ['yaml', 'node:*'] },
  'tools/adopt': { rooms: ['tools/release'], packages: ['node:*'] },
  'tools/reference': {
    rooms: [
      ...['src/api', 'src/operations', 'src/preview', 'src/masked', 'src/database', 'src/action'],
      ...['emulator/openapi', 'tools/release'],
    ],
    packages: ['zod/mini', 'node:*'],
  },
  'tools/bench': {
    rooms: [
      ...['src/api', 'src/client', 'src/postgres', 'src/contents/masking', 'src/operations'],
      ...['src/contents/rehearsal/proxy', 'src/contents/rehearsal', 'emulator/clusters', 'tools/reference'],
    ],
    packages: ['node:*'],
  },
  // A model of GitHub's runner: it knows the action by its action.yml and its bundle alone.
  'tools/runner': { rooms: [], packages: ['yaml', 'node:*'] },
  'tools/live': {
    rooms: [
      ...[
        'src/base',
        'src/api',
        'src/client/network',
        'src/client',
        'src/postgres',
        'src/contents/rehearsal',
      ],
      ...['src/operations', 'src/preview/base', 'src/action/inputs', 'emulator/store', 'emulator/openapi'],
      ...['emulator/http', 'tools/build', 'tools/runner'],
    ],
    packages: ['node:*'],
  },
  'tools/quickstart': {
    rooms: ['emulator', 'emulator/clusters', 'emulator/http', 'tools/build', 'tools/runner'],
    packages: ['pg', 'node:*'],
  },

  'tools/pictures': {
    rooms: ['emulator', 'emulator/clusters', 'emulator/http', 'tools/runner'],
    packages: ['node:*'],
  },

  // The bundle's entry runs as soon as it is imported: nobody does.
  test: {
    rooms: [
      ...[
        'src/base',
        'src/api',
        'src/client',
        'src/postgres',
        'src/contents/quarantine',
        'src/operations',
        'src/contents/sql',
        'src/contents/masking',
        'src/contents/rehearsal/proxy',
        'src/contents/rehearsal',
        'src/contents/schema',
        'src/contents/database',
        'src/masked',
        'src/preview',
        'src/database',
        'src/github',
        'src/action',
        'src/main.ts',
        'src/post.ts',
      ],
      ...['emulator', 'emulator/data-plane.ts', 'emulator/store', 'emulator/clusters', 'emulator/http'],
      'emulator/openapi',
      ...['tools/build', 'tools/bench', 'tools/live', 'tools/quickstart', 'tools/reference', 'tools/runner'],
      ...['tools/adopt', 'tools/drift', 'tools/release', 'tools/check-workflows'],
    ],
    packages: [...tests, ...languageServices],
  },
}

/** Why some packages are open to one room of `src` only: said where another one imports them. */
export const reasons: Record<string, string> = {
  '@actions/core': "only src/action/host knows the runner's toolkit",
  '@actions/github': "only src/github/ask knows GitHub's API",
  pg: 'only src/postgres knows PostgreSQL',
  undici: 'only src/client/network sends requests',
  yaml: 'only src/contents/masking/plan reads YAML',
}

/** An import that breaks the table or closes a circle, and is known to. */
export interface KnownBreak {
  file: string
  imports: string
}

/** None stands; one that must for a while is named here with its reason. */
export const known: readonly KnownBreak[] = [
  // Loads the simulator once more for each broken variant of production code.
  { file: 'test/simulator/break-source.ts', imports: 'a module computed at run time' },
]
