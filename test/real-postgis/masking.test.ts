/** Tests masking with the real PostGIS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, mask } from '../contents/masking/support/database.ts'
import { createService, type Outputs, runAsSuperuser, runSql } from '../support/fork.ts'
import { openWorkbench, type Workbench } from '../support/workbench.ts'

/** The folder of PostgreSQL's programs, of an installation with PostGIS. */
const programs = process.env.POSTGIS_BIN ?? ''

let bench: Workbench
let service: Outputs

/** A point near the original city, for the row `n`. */
const near = 'st_setsrid(st_point(10.12 + n * 0.0001, 52.65 + n * 0.0001), 4326)'
const point = 'geometry(Point,4326)'

async function createHomes(sql: string): Promise<Outputs> {
  const outputs = await createDatabase('', service)
  await runAsSuperuser(outputs, 'CREATE EXTENSION postgis')
  await runSql(outputs, `${sql}; ANALYZE`)
  return outputs
}

/** The statistics of PostGIS columns and their indexes, each with a hash of its content. */
const readStatistics = (outputs: Outputs) =>
  runAsSuperuser(
    outputs,
    `SELECT concat_ws('.', starelid::regclass, attname, stainherit,
         md5(concat(stanumbers1, stanumbers2, stanumbers3, stanumbers4, stanumbers5, stavalues1, stavalues2))) AS statistic
       FROM pg_statistic JOIN pg_attribute ON attrelid = starelid AND attnum = staattnum
       WHERE 102 IN (stakind1, stakind2, stakind3, stakind4, stakind5) ORDER BY 1`,
  )

const title = `masking with the real PostGIS ${programs === '' ? '(skipped unless POSTGIS_BIN names the programs of a PostgreSQL that has it)' : ''}`

describe.skipIf(programs === '')(title, { timeout: 180_000 }, () => {
  beforeAll(async () => {
    bench = await openWorkbench({ programs })
    service = await createService(bench)
  }, 120_000)
  afterAll(() => bench.stop())

  it('statistics hold no place from before the masking, also under views and in views, indexes and partitions', async () => {
    const outputs = await createHomes(
      `CREATE TABLE homes (id int PRIMARY KEY, alone ${point}, derived ${point}, viewed geometry(LineStringZ,4326), stored ${point}, indexed ${point},
         lon float8, lat float8, kept ${point}, web geometry(Point,3857) GENERATED ALWAYS AS (st_transform(derived, 3857)) STORED);
       CREATE INDEX ON homes USING gist (st_transform(indexed, 3857)); CREATE INDEX ON homes USING gist (st_point(lon, lat));
       CREATE VIEW views AS SELECT viewed, kept FROM homes; CREATE MATERIALIZED VIEW stores AS SELECT stored FROM homes;
       CREATE TABLE parts (id int, home geography(Point)) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT;
       CREATE TABLE emptied (id int, home ${point} NOT NULL, work geography); CREATE VIEW emptied_view AS SELECT * FROM emptied;
       INSERT INTO homes SELECT n, ${near}, ${near}, st_force3d(st_makeline(${near}, ${near})), ${near}, ${near}, 10.12 + n * 0.0001, 52.65, ${near}
         FROM generate_series(1, 1000) AS n;
       INSERT INTO parts SELECT id, alone FROM homes; INSERT INTO emptied SELECT id, alone, alone FROM homes;
       REFRESH MATERIALIZED VIEW stores`,
    )
    const before = await readStatistics(outputs)
    expect(before).toHaveLength(14)
    const indexes =
      'SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = $$homes$$::regclass ORDER BY 1'
    const indexesBefore = await runSql(outputs, indexes)
    await mask(
      outputs,
      `public.homes: { alone: null, derived: null, viewed: null, stored: null, indexed: null, lon: null, lat: null, kept: location }
public.parts: { home: null }
public.emptied: drop_rows
`,
    )
    const after = await readStatistics(outputs)
    expect(after.filter(({ statistic }) => before.some(old => old.statistic === statistic))).toEqual([])
    expect(
      await runSql(
        outputs,
        `SELECT count(coalesce(alone, derived, stored, indexed))::int AS filled, count(viewed)::int AS viewed, count(web)::int AS web,
           (SELECT count(stored)::int FROM stores) AS stores, count(kept)::int AS kept, (SELECT count(*)::int FROM emptied) AS emptied,
           (SELECT count(home)::int FROM parts) AS parts FROM homes`,
      ),
    ).toEqual([{ filled: 0, viewed: 0, web: 0, stores: 0, kept: 1000, emptied: 0, parts: 0 }])
    expect(await runSql(outputs, indexes)).toEqual(indexesBefore)
  })

  it('location moves points and areas, and leaves their types and reference systems', async () => {
    const outputs = await createHomes(
      `CREATE TABLE homes (id int PRIMARY KEY, home ${point}, work geography(Point,4326), parcel geometry(Polygon,25832));
       CREATE TABLE stops (home ${point}); CREATE INDEX ON homes USING gist (home);
       INSERT INTO homes SELECT n, ${near}, ${near}, st_buffer(st_transform(${near}, 25832), 25, 2) FROM generate_series(1, 50) AS n;
       INSERT INTO stops SELECT home FROM homes; CREATE TABLE old AS TABLE homes`,
    )
    const { proof } = await mask(
      outputs,
      'public.homes: { home: location, work: location, parcel: location }\npublic.stops: { home: location }\npublic.old: { home: keep, work: keep, parcel: keep }\n',
    )
    // The search also finds places.
    expect(proof.hits.map(({ place }) => place)).toEqual([
      'public.old.home',
      'public.old.parcel',
      'public.old.work',
    ])
    expect(
      await runSql(
        outputs,
        `SELECT count(*)::int AS rows, bool_and(st_distance(homes.work, old.work) > 1000 AND homes.home <> old.home) AS moved,
           bool_and(abs(st_area(homes.parcel) - st_area(old.parcel)) < 0.1 AND NOT st_intersects(homes.parcel, old.parcel)) AS parcels,
           bool_and(st_x(homes.home) = st_x(homes.work::geometry)) AS alike, (SELECT count(*)::int FROM homes JOIN stops USING (home)) AS joined
         FROM homes JOIN old USING (id)`,
      ),
    ).toEqual([{ rows: 50, moved: true, parcels: true, alike: true, joined: 50 }])
  })
})
