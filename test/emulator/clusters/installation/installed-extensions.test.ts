/** Tests the use of installed extensions. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findNativeFolder } from '../../../../emulator/clusters/installation/binaries.ts'
import { findInstalled } from '../../../../emulator/clusters/installation/installed-extensions.ts'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { useWorkspace } from '../../../support/workspace.ts'
import { query } from '../support.ts'

/** A library in C that is at hand: that of citext. */
const library = path.join(findNativeFolder(), 'lib/postgresql/citext.so')

const { path: root } = useWorkspace()

const controlOf = (name: string) =>
  `default_version = '9.8.7'\nmodule_pathname = '$libdir/${name}'\nrelocatable = true\n`

/** Extensions as a package of Debian has them, each with that library under its own name. */
async function unpack(folder: string, ...names: string[]) {
  const controls = path.join(root, folder, 'usr/share/postgresql/18/extension')
  const libraries = path.join(root, folder, 'usr/lib/postgresql/18/lib')
  for (const one of [controls, libraries]) await mkdir(one, { recursive: true })
  for (const name of names) {
    await writeFile(path.join(controls, `${name}.control`), controlOf(name))
    const sql = `CREATE FUNCTION ${name}_cmp(text, text) RETURNS int LANGUAGE c STRICT AS 'MODULE_PATHNAME', 'citext_cmp';`
    await writeFile(path.join(controls, `${name}--9.8.7.sql`), sql)
    await copyFile(library, path.join(libraries, `${name}.so`))
  }
  return { folder: path.join(root, folder), controls, libraries }
}

// The shape of packages and the loader that is asked are those of Linux.
describe.runIf(process.platform === 'linux')('extensions of the machine', () => {
  test('are preferred to stand-ins, and are the real ones', async () => {
    const { folder, controls } = await unpack('debian', 'vector', 'not_of_service')
    const plane = await openClusters({ root, extensions: folder })
    try {
      expect(plane.about).toEqual(
        expect.arrayContaining(['PostgreSQL 18', `vector 9.8.7 of ${controls}`, 'stand-ins for timescaledb']),
      )
      const address = await plane.createService('s', 'p')
      await query(address, 'p', 'CREATE EXTENSION vector')
      expect(await query(address, 'p', "SELECT vector_cmp('a', 'A') AS same")).toEqual([{ same: 0 }])
      await expect(query(address, 'p', 'CREATE EXTENSION not_of_service')).rejects.toThrow('not available')
    } finally {
      await plane.close()
    }
  })

  test('that cannot be loaded are reported with the reason, and omitted', async () => {
    const { folder, controls, libraries } = await unpack('newer', 'vector', 'timescaledb', 'postgis')
    // As if it was made for a newer C library: the version that it asks for is written in it.
    const newer = (await readFile(library, 'latin1')).replace(/GLIBC_2(?=\.)/, 'GLIBC_9')
    await writeFile(path.join(libraries, 'timescaledb-2.30.so'), newer, 'latin1')
    await writeFile(path.join(libraries, 'vector.so'), 'no library')
    const found = await findInstalled('18', folder, undefined)
    expect(found).toMatchObject({ controls, libraries, versions: new Map([['postgis', '9.8.7']]) })
    expect(Object.fromEntries(found?.broken ?? [])).toEqual({
      timescaledb: expect.stringMatching(/^version `GLIBC_9\S+' not found/),
      vector: expect.stringContaining('not a dynamic executable'),
    })
  })

  test('are found in a folder that contains all of them', async () => {
    const { controls } = await unpack('flat')
    await writeFile(path.join(controls, 'vector.control'), controlOf('vector'))
    expect(await findInstalled('18', controls, undefined)).toMatchObject({ controls, libraries: controls })
  })
})

/** Whether this machine has packages with the real ones: each night it does. */
const real = (await findInstalled('18', undefined, undefined))?.versions ?? new Map<string, string>()

test.runIf(real.has('vector'))('the real vector is found automatically, even in a fork', async () => {
  const plane = await openClusters({ root })
  try {
    expect(plane.about.join()).toContain(`vector ${real.get('vector')} of /usr`)
    const parent = await plane.createService('s', 'p')
    const setUp = `CREATE EXTENSION vector; CREATE TABLE items AS SELECT i AS id, array[i, 1]::real[]::vector(2) AS v
      FROM generate_series(1, 9) AS i; CREATE INDEX ON items USING hnsw (v vector_l2_ops) WITH (m = 16)`
    await query(parent, 'p', setUp)
    await expect(query(parent, 'p', "SELECT 'abc'::vector")).rejects.toThrow('for type vector: "abc"')
    const fork = await plane.forkService('f', 's', { strategy: 'NOW' }, 'q')
    const nearest = "SELECT id FROM items ORDER BY v <-> '[3,1]' LIMIT 1"
    expect(await query(fork, 'q', nearest)).toEqual([{ id: 3 }])
    if (!real.has('timescaledb')) return
    await query(parent, 'p', 'CREATE EXTENSION timescaledb; CREATE TABLE m (t date NOT NULL)')
    await query(
      parent,
      'p',
      "SELECT create_hypertable('m', 't'); INSERT INTO m VALUES ('2026-01-01'), ('2026-06-01')",
    )
    expect(await query(parent, 'p', "SELECT FROM show_chunks('m')")).toHaveLength(2)
  } finally {
    await plane.close()
  }
})

test('a folder without extensions for this version is refused, with the searched places', async () => {
  await unpack('older', 'vector')
  await expect(findInstalled('17', path.join(root, 'older'), undefined)).rejects.toThrow(
    /^No extension for PostgreSQL 17 is in .*older: .*--extensions.*vector/,
  )
})
