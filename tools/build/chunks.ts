import { createRequire } from 'node:module'

/** A file of dist that ncc makes: an entry bundled with everything that it needs. */
export interface Chunk {
  file: string
  /** Relative to the root of the repository. */
  entry: string
  /** What it loads from another file of dist, only when needed: the request and the file. */
  loads?: Record<string, string>
  /** The files for those of our modules that it loads by `import()`. */
  late?: Record<string, string>
  /** What is left out: the request, and the expression that replaces it. */
  leavesOut?: Record<string, string>
}

/**
 * The toolkit has its own ways into the network. The action has a single one, whose rules must hold for everything
 * (src/client).
 */
const withoutNetwork = {
  '@actions/http-client': '{ HttpClient: class { getAgent() {} getAgentDispatcher() {} } }',
}

/**
 * Parts of the toolkit that src/action/host.ts does not use: tokens for other clouds, summaries, paths, machine facts.
 */
const withoutRestOfToolkit = {
  './oidc-utils.js': '{ OidcClient: class {} }',
  './summary.js': '{}',
  './path-utils.js': '{}',
  './platform.js': '{}',
}

/** The parser's names for HTTP's events. undici uses nothing else of the module, which makes 20 more tables. */
const { ERROR, TYPE } = createRequire(import.meta.url)('undici/lib/llhttp/constants.js') as Record<
  string,
  object
>

/**
 * Modules of Node.js that undici loads for little: all of HTTP for a limit and the type of an answer, and the
 * assertions.
 */
export const withoutRestOfNode = {
  'node:http': '{ IncomingMessage: class {}, maxHeaderSize: 16384 }',
  'node:assert':
    '(holds, message) => { if (!holds) throw new Error(message ?? "undici contradicts itself") }',
}

/**
 * Parts of undici that src/client never uses: HTTP/2, forms and a second parser of HTTP/1; and a tree of header names,
 * which speeds up reading thousands of answers but slows down the start.
 */
export const withoutRestOfUndici = {
  '../llhttp/constants.js': JSON.stringify({ ERROR, TYPE }),
  './tree': '{ tree: { lookup: () => null } }',
  './client-h2.js': '{}',
  './parser-h1.js': '{}',
  '../web/fetch/body.js': '{}',
  '../web/fetch/formdata': '{}',
  '../web/webidl': '{ webidl: { is: { FormData: () => false } } }',
}

/**
 * All of dist. Code that only some operations need has a file of its own, so that the others need not read it: Node.js
 * reads and checks a whole file before it runs the first line. A chunk of a package holds nothing of `src`, because a
 * class in two chunks would be two classes. A `late` file shares its modules with the file that loads it.
 */
export const chunks: readonly Chunk[] = [
  {
    file: 'run.js',
    entry: 'build/run.js',
    loads: {
      '@actions/github': './github.js',
      pg: './pg.js',
      '../llhttp/llhttp-wasm.js': './llhttp.js',
    },
    late: {
      // Loaded by all operations of previews but one.
      'previews.js': 'build/preview/life.js',
      'get-connection.js': 'build/preview/get-connection.js',
      // Loaded if GitHub is asked, before GitHub's own client.
      'pull-requests.js': 'build/github/create-github.js',
      // Loaded if the environment names a proxy.
      'proxies.js': 'build/client/undici-proxies.js',
    },
    leavesOut: { ...withoutRestOfToolkit, ...withoutRestOfUndici, ...withoutRestOfNode },
  },
  // The files that the runner starts: small enough for an older Node.js to read; they load the rest.
  { file: 'index.js', entry: 'build/index.js', loads: { './run.js': './run.js' } },
  { file: 'post.js', entry: 'build/post-entry.js', loads: { './run.js': './run.js' } },
  {
    file: 'github.js',
    entry: 'node_modules/@actions/github/lib/github.js',
    leavesOut: {
      ...withoutNetwork,
      undici: '{}',
      // A method for each of GitHub's endpoints; src/github names the route instead.
      '@octokit/plugin-rest-endpoint-methods': '{ restEndpointMethods: () => ({}) }',
    },
  },
  { file: 'pg.js', entry: 'node_modules/pg/lib/index.js' },
  // The parser for processors without SIMD.
  { file: 'llhttp.js', entry: 'node_modules/undici/lib/llhttp/llhttp-wasm.js' },
]
