/** Finds installed extensions. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ifExists } from '../disk/files.ts'
import { ClusterError } from '../errors.ts'
import { canReach, type SystemAccount } from '../machine/system-account.ts'

/** Extensions from other packages, for the same major version of PostgreSQL. */
export interface InstalledExtensions {
  /** The folder of their control files and scripts. */
  controls: string
  /** The folder of their libraries. */
  libraries: string
  /** Extensions that a service's owner may create, with their versions. */
  versions: ReadonlyMap<string, string>
  /** Extensions whose libraries cannot be loaded on this machine, with the reason. */
  broken: ReadonlyMap<string, string>
}

/**
 * Extensions of the service that PostgreSQL is shipped without. No others are offered: some run programs, or reach the
 * files of the machine.
 */
const serviceExtensions = [
  ...['ai', 'h3', 'h3_postgis', 'hypopg', 'orafce', 'pg_cron', 'pg_textsearch', 'pgaudit', 'pgrouting'],
  ...[
    'postgis',
    'postgis_raster',
    'postgis_sfcgal',
    'postgis_topology',
    'timescaledb',
    'timescaledb_toolkit',
  ],
  ...['unit', 'vector', 'vectorscale'],
]

interface Place {
  controls: string
  libraries: string
}

/** Where the packages of Debian, Red Hat and Homebrew install files for this major version. */
const systemPlaces = (version: string): Place[] =>
  [
    ['/usr/share/postgresql/VERSION/extension', '/usr/lib/postgresql/VERSION/lib'],
    ['/usr/pgsql-VERSION/share/extension', '/usr/pgsql-VERSION/lib'],
    ['/opt/homebrew/share/postgresql@VERSION/extension', '/opt/homebrew/lib/postgresql@VERSION'],
    ['/usr/local/share/postgresql@VERSION/extension', '/usr/local/lib/postgresql@VERSION'],
  ].map(([controls = '', libraries = '']) => ({
    controls: controls.replace('VERSION', version),
    libraries: libraries.replace('VERSION', version),
  }))

/** A named folder: the root of an unpacked package or of an installation, or one that contains all files itself. */
function placesIn(folder: string, version: string): Place[] {
  const within = (controls: string, libraries: string) => ({
    controls: path.join(folder, controls),
    libraries: path.join(folder, libraries),
  })
  return [
    ...systemPlaces(version).map(({ controls, libraries }) => within(controls, libraries)),
    within('share/postgresql/extension', 'lib/postgresql'),
    within('share/extension', 'lib'),
    within('extension', 'lib'),
    within('.', '.'),
  ]
}

const isControl = (name: string) => name.endsWith('.control')

/** Why the system's own loader cannot load the library; it may be for a newer system. */
async function findLibraryProblem(library: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const output = await promisify(execFile)('ldd', [library], { env: { ...process.env, LC_ALL: 'C' } }).then(
    ({ stdout, stderr }) => stdout + stderr,
    // Alpine's loader fails on PostgreSQL's own symbols, which proves nothing.
    (failed: { stdout?: string; stderr?: string }) => `${failed.stdout}${failed.stderr}`,
  )
  const line = output
    .split('\n')
    .find(text => /GLIBC\S* not found|=> not found|not a (valid )?dynamic/i.test(text))
  return line?.replace(/^.*?: (?=version )/, '').trim()
}

/** The first reason why a library of the extension cannot be loaded. */
async function findProblem(name: string, { libraries }: Place): Promise<string | undefined> {
  const files = await readdir(libraries)
  const own = files.filter(file => /\.(so|dylib|dll)$/.test(file) && file.startsWith(name))
  for (const file of own) {
    const problem = await findLibraryProblem(path.join(libraries, file))
    if (problem) return problem
  }
  return undefined
}

async function readExtensions(place: Place): Promise<InstalledExtensions | undefined> {
  const files = (await ifExists(readdir(place.controls))) ?? []
  const names = serviceExtensions.filter(name => files.includes(`${name}.control`))
  const versions = new Map<string, string>()
  const broken = new Map<string, string>()
  for (const name of names) {
    const control = await readFile(path.join(place.controls, `${name}.control`), 'utf8')
    const problem = await findProblem(name, place)
    if (problem === undefined) versions.set(name, /^default_version\s*=\s*'(.+)'/m.exec(control)?.[1] ?? '')
    else broken.set(name, problem)
  }
  return names.length > 0 ? { ...place, versions, broken } : undefined
}

/**
 * Finds extensions for this major version: in the named folder, or else in those of the system's packages.
 * Throws if the named one has none.
 */
export async function findInstalled(
  version: string,
  given: string | undefined,
  account: SystemAccount | undefined,
): Promise<InstalledExtensions | undefined> {
  const places = given === undefined ? systemPlaces(version) : placesIn(path.resolve(given), version)
  for (const place of places) {
    const controls = await ifExists(readdir(place.controls))
    const libraries = await ifExists(readdir(place.libraries))
    if (libraries === undefined || !controls?.some(isControl)) continue
    const found = await readExtensions(place)
    if (found === undefined) continue
    if (
      account === undefined ||
      ((await canReach(account, place.controls)) && (await canReach(account, place.libraries)))
    )
      return found
    if (given === undefined) continue
    throw new ClusterError(
      `PostgreSQL refuses to run as root, and the user ${account.name} cannot enter ${given}: give another folder with --extensions.`,
    )
  }
  if (given === undefined) return undefined
  throw new ClusterError(
    `No extension for PostgreSQL ${version} is in ${given}: give a folder with their control files and libraries by ` +
      `--extensions, like that of an unpacked package. Known are ${serviceExtensions.join(', ')}.`,
  )
}
