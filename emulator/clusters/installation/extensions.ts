/** Offers extensions to the owners of services. */
import { copyFile, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createFolder, giveTo, ifExists, writeOwned } from '../disk/files.ts'
import { ClusterError } from '../errors.ts'
import type { SystemAccount } from '../machine/system-account.ts'
import type { Binaries } from './binaries.ts'
import type { InstalledExtensions } from './installed-extensions.ts'
import type { Settings } from './settings.ts'
import { addStandIns } from './stand-ins.ts'

/** A control file that lets every role create the extension, whose scripts are in that folder. */
export function renderControl(control: string, scripts: string, platform = process.platform): string {
  const portable = platform === 'win32' ? scripts.replaceAll('\\', '/') : scripts
  // A control file has the syntax of postgresql.conf.
  const quoted = portable.replaceAll('\\', '\\\\').replaceAll("'", "''")
  return `${control.trimEnd()}\ntrusted = true\ndirectory = '${quoted}'\n`
}

/**
 * Extensions shipped with PostgreSQL that a service's owner may create, besides those that PostgreSQL lets every role
 * create. None of them reaches the files of the machine or runs programs: no file_fdw, no untrusted language.
 */
const offered = [
  ...['amcheck', 'autoinc', 'bloom', 'dblink', 'dict_xsyn', 'earthdistance', 'insert_username', 'intagg'],
  ...['moddatetime', 'pg_buffercache', 'pg_freespacemap', 'pg_prewarm', 'pg_stat_statements'],
  ...['pg_visibility', 'pgrowlocks', 'pgstattuple', 'postgres_fdw', 'refint', 'sslinfo', 'xml2'],
]

/** Loaded when a server starts, if they are installed. */
const preloaded = ['pg_stat_statements', 'timescaledb', 'pg_cron']

/** Extensions of the service beyond PostgreSQL's own: real, or a stand-in. */
const noteworthy = ['timescaledb', 'vector', 'pg_cron']

/** The offered extensions for the greeting, and their settings for servers. */
export interface Offer {
  settings: Settings
  /** Descriptions for the user. */
  about: string[]
}

/** The first major version that looks for extensions in more than one folder. */
const oldestVersion = 18

/** Throws if extensions of another folder are requested and this PostgreSQL supports only its own. */
export function checkManyFolders({ version }: Binaries, wanted: string | false | undefined): void {
  if (!wanted || Number(version) >= oldestVersion) return
  throw new ClusterError(
    `--extensions needs PostgreSQL ${oldestVersion}, and this is ${version}: leave it out.`,
  )
}

async function listExtensions(folder: string): Promise<Set<string>> {
  const files = (await ifExists(readdir(folder))) ?? []
  return new Set(
    files.filter(name => name.endsWith('.control')).map(name => name.slice(0, -'.control'.length)),
  )
}

/** A statement for the end of an extension's script. */
function grantFunctionsOf(name: string): string {
  return `DO $grant$ DECLARE member regprocedure; BEGIN
  FOR member IN SELECT objid FROM pg_catalog.pg_depend JOIN pg_catalog.pg_extension ON refobjid OPERATOR(pg_catalog.=) pg_extension.oid
    WHERE refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
      AND classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass AND extname OPERATOR(pg_catalog.=) '${name}'
  LOOP EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO @extowner@', member); END LOOP;
END $grant$;`
}

/**
 * Rights of the owner on a new extension: its objects belong to the superuser, who alone may use some of them
 * by default.
 */
const grants: Record<string, string> = {
  amcheck: grantFunctionsOf('amcheck'),
  dblink: 'GRANT USAGE ON FOREIGN DATA WRAPPER dblink_fdw TO @extowner@ WITH GRANT OPTION;',
  pg_stat_statements: grantFunctionsOf('pg_stat_statements'),
  postgres_fdw: 'GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO @extowner@ WITH GRANT OPTION;',
}

async function offer(
  name: string,
  from: string,
  to: string,
  account: SystemAccount | undefined,
): Promise<void> {
  const control = await readFile(path.join(from, `${name}.control`), 'utf8')
  const grant = grants[name]
  const scripts = grant === undefined ? from : to
  await writeOwned(account, path.join(to, `${name}.control`), renderControl(control, scripts))
  if (grant === undefined) return
  const version = /^default_version = '(.+)'/m.exec(control)?.[1]
  for (const file of (await readdir(from)).filter(file => file.startsWith(`${name}--`))) {
    await copyFile(path.join(from, file), path.join(to, file))
    await giveTo(account, path.join(to, file))
    if (!file.endsWith(`--${version}.sql`)) continue
    await writeOwned(
      account,
      path.join(to, file),
      `${await readFile(path.join(from, file), 'utf8')}\n${grant}\n`,
    )
  }
}

/** The settings of servers for the available extensions. */
function settingsFor(names: ReadonlySet<string>): Settings {
  const libraries = preloaded.filter(name => names.has(name))
  return {
    ...(libraries.length > 0 && { shared_preload_libraries: libraries.join(',') }),
    // No telemetry for databases that live as long as a test.
    ...(names.has('timescaledb') && { 'timescaledb.telemetry_level': 'off' }),
    // A fifth of the default: the statements are held in memory, separately for each service.
    ...(names.has('pg_stat_statements') && { 'pg_stat_statements.max': '1000' }),
    // As sessions its jobs would need passwords.
    ...(names.has('pg_cron') && { 'cron.database_name': 'tsdb', 'cron.use_background_workers': 'on' }),
  }
}

/** The descriptions of extensions, one line for each kind. */
function describeOffer(own: string[], others: InstalledExtensions | undefined, standIns: string[]): string[] {
  const installed = [...(others?.versions ?? [])].map(([name, version]) => `${name} ${version}`)
  return [
    ...(own.length > 0 ? [`${own.join(', ')} of this PostgreSQL`] : []),
    ...(installed.length > 0 ? [`${installed.join(', ')} of ${others?.controls}`] : []),
    ...(standIns.length > 0 ? [`stand-ins for ${standIns.join(' and ')}`] : []),
    ...[...(others?.broken ?? [])].map(
      ([name, problem]) => `${name} of ${others?.controls} cannot be loaded (${problem})`,
    ),
  ]
}

/**
 * Lets a service's owner, who is not a superuser, create the offered extensions: PostgreSQL's own, `others`
 * that are installed on this machine, and stand-ins. The emulator's control files in `folder` allow it:
 * PostgreSQL finds them before its own (PostgreSQL docs, "extension_control_path").
 */
export async function offerExtensions(
  folder: string,
  { version, extensions }: Binaries,
  account: SystemAccount | undefined,
  withStandIns: boolean,
  others?: InstalledExtensions,
): Promise<Offer> {
  const own = await listExtensions(extensions)
  const ownNames = noteworthy.filter(name => own.has(name))
  if (Number(version) < oldestVersion) {
    const lacks = `no stand-ins, and no pg_stat_statements for tsdbadmin, before PostgreSQL ${oldestVersion}`
    return { settings: settingsFor(own), about: [...describeOffer(ownNames, undefined, []), lacks] }
  }
  const to = path.join(folder, 'extension')
  await rm(folder, { recursive: true, force: true })
  await createFolder(account, folder)
  await createFolder(account, to)
  const added = [...(others?.versions.keys() ?? [])].filter(name => !own.has(name))
  await Promise.all([
    ...offered.filter(name => own.has(name)).map(name => offer(name, extensions, to, account)),
    ...added.map(name => offer(name, others?.controls ?? '', to, account)),
  ])
  const all = new Set([...own, ...added])
  const standIns = withStandIns ? await addStandIns(to, all, account) : []
  return {
    settings: {
      ...settingsFor(all),
      extension_control_path: [folder, '$system'].join(path.delimiter),
      ...(others && { dynamic_library_path: ['$libdir', others.libraries].join(path.delimiter) }),
    },
    about: describeOffer(ownNames, others, standIns),
  }
}
