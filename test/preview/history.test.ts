/** Tests the comparison of migrations between commits. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compareMigrations, type Migrations } from '#preview/prepare/migrations'

const paths = ['**']
const at = (blobs: Record<string, string>): Migrations => ({ paths, blobs })

/** Files as `path=content`, or as a path that is its own content. */
const files = (...names: string[]) =>
  at(Object.fromEntries(names.map(name => [name.replace(/=.*/, ''), name.replace(/.*=|.*\//, '')])))

const outdated = (reason: string) => ({ outdated: reason })

describe('a database fits its files if', () => {
  it.each<[string, Migrations, Migrations]>([
    ['nothing changes', files('m/1_a.sql'), files('m/1_a.sql')],
    ['there were no files yet', files(), files('m/1_a.sql')],
    ['a longer number comes after a shorter one', files('m/9_a.sql'), files('m/9_a.sql', 'm/10_b.sql')],
    ['Flyway counts on', files('V2__a.sql', 'R__v.sql'), files('V2__a.sql', 'R__v.sql', 'V10__b.sql')],
    [
      'Flyway counts in parts',
      files('V1.9__a.sql', 'V1__b.sql'),
      files('V1.9__a.sql', 'V1__b.sql', 'V1.10__c.sql'),
    ],
    [
      'Flyway counts with underscores',
      files('V1_9__a.sql'),
      files('V1_9__a.sql', 'V1_10__c.sql', 'V2__d.sql'),
    ],
    ['Flyway counts with both', files('V1.9__a.sql'), files('V1.9__a.sql', 'V1_10__b.sql')],
    [
      'Prisma adds a folder, beside a file without a number',
      files('p/20250101_a/migration.sql', 'p/migration_lock.toml'),
      files('p/20250101_a/migration.sql', 'p/migration_lock.toml', 'p/20250102_b/migration.sql'),
    ],
    [
      'Django counts in each app by itself',
      files('shop/migrations/0002_a.py', 'blog/migrations/0001_b.py', 'shop/migrations/__init__.py'),
      files(
        'shop/migrations/0002_a.py',
        'blog/migrations/0001_b.py',
        'shop/migrations/__init__.py',
        'blog/migrations/0002_c.py',
        'auth/migrations/0001_d.py',
      ),
    ],
    [
      'Alembic makes up its names',
      files('v/1975ea83b712_a.py', 'v/ae1027a6acf_b.py'),
      files('v/1975ea83b712_a.py', 'v/ae1027a6acf_b.py', 'v/0c6a30d7c24e_c.py', 'v/1b2_d.py'),
    ],
    [
      'a second file has the same number',
      files('m/0003_b.up.sql'),
      files('m/0003_b.up.sql', 'm/0003_b.down.sql', 'm/3_a.sql'),
    ],
    [
      'Laravel writes the date in parts',
      files('m/2025_09_30_000000_a.php'),
      files('m/2025_09_30_000000_a.php', 'm/2025_10_01_000000_b.php'),
    ],
    [
      'the whole folder has another name',
      files('db/1_a.sql', 'db/2_b.sql'),
      files('database/sql/1_a.sql', 'database/sql/2_b.sql', 'database/sql/3_c.sql'),
    ],
    [
      'the folder of a tool with a folder for each migration has another name',
      files('db/20250101_a/migration.sql', 'db/20250102_b/migration.sql'),
      files('prisma/20250101_a/migration.sql', 'prisma/20250102_b/migration.sql'),
    ],
  ])('%s', (_, before, after) => {
    expect(compareMigrations(before, after)).toBeUndefined()
  })
})

describe('a database is outdated if', () => {
  it.each<[string, Migrations, Migrations, string]>([
    ['a file was changed', files('m/1_a.sql'), files('m/1_a.sql=x'), 'm/1_a.sql was changed'],
    [
      'a file was removed',
      files('m/1_a.sql', 'm/2_b.sql'),
      files('m/1_a.sql', 'm/3_b.sql'),
      'm/2_b.sql was removed',
    ],
    [
      'a file was put before others',
      files('m/1_a.sql', 'm/9_b.sql', 'm/10_c.sql'),
      files('m/1_a.sql', 'm/9_b.sql', 'm/10_c.sql', 'm/2_d.sql'),
      'm/2_d.sql was put before m/10_c.sql',
    ],
    [
      'Flyway gets a version between others',
      files('V1__a.sql', 'V2__b.sql'),
      files('V1__a.sql', 'V2__b.sql', 'V1.1__c.sql'),
      'V1.1__c.sql was put before V2__b.sql',
    ],
    [
      'a folder of Prisma was put before others',
      files('p/20250101_a/migration.sql', 'p/20250103_c/migration.sql'),
      files('p/20250101_a/migration.sql', 'p/20250103_c/migration.sql', 'p/20250102_b/migration.sql'),
      'p/20250102_b/migration.sql was put before p/20250103_c/migration.sql',
    ],
    [
      'the only folder of Prisma got another date',
      files('p/20250101_a/migration.sql'),
      files('p/20250102_a/migration.sql'),
      'p/20250101_a/migration.sql was removed',
    ],
    [
      'all were counted anew',
      files('m/1_a.sql=a', 'm/2_b.sql=b'),
      files('m/2_a.sql=a', 'm/3_b.sql=b'),
      'm/1_a.sql was removed, and 1 more',
    ],
    [
      'all were joined into one',
      files('m/1_a.sql', 'm/2_b.sql'),
      files('m/20_squashed.sql'),
      'm/1_a.sql was removed, and 1 more',
    ],
    [
      'the folder has another name, and one of its files another content',
      files('db/1_a.sql', 'db/2_b.sql'),
      files('sql/1_a.sql', 'sql/2_b.sql=x'),
      'db/2_b.sql was removed',
    ],
    [
      'several changes come together: the changed files first, in their order',
      files('m/9_a.sql', 'm/10_b.sql', 'm/11_c.sql'),
      files('m/9_a.sql', 'm/10_b.sql=x', 'm/1_d.sql'),
      'm/10_b.sql was changed, and 2 more',
    ],
    [
      'a file has the name of something that every object has',
      files('__proto__', 'constructor'),
      files('constructor'),
      '__proto__ was removed',
    ],
  ])('%s', (_, before, after, reason) => {
    expect(compareMigrations(before, after)).toEqual(outdated(reason))
  })
})

describe('the comparison is inconclusive if', () => {
  it.each<[string, Migrations | undefined, Migrations, string]>([
    ['nothing was noted', undefined, files('m/1_a.sql'), 'nothing was noted of them so far'],
    [
      'reset_on is another one',
      { paths: ['db/**'], blobs: {} },
      files('m/1_a.sql'),
      'reset_on was another one before',
    ],
    ['all files are gone', files('m/1_a.sql'), files(), 'all of them are gone, perhaps to another folder'],
  ])('%s', (_, before, after, reason) => {
    expect(compareMigrations(before, after)).toEqual({ unknown: reason })
  })
})

const folder = fc.constantFrom('', 'db/', 'db/migrations/', 'shop/migrations/')
const name = fc.tuple(fc.nat(30), fc.constantFrom('_a.sql', '__b.sql', '-c/migration.sql', '.up.sql'))
const unnumbered = fc.constantFrom('README.md', '__init__.py', 'ae1027a6acf_x.py', 'lock.toml')
const path = fc
  .tuple(
    folder,
    fc.oneof(
      name.map(([number, rest]) => `${number}${rest}`),
      unnumbered,
    ),
  )
  .map(parts => parts.join(''))
const hash = fc.constantFrom('e69de29', 'a1', 'b2')
const some = fc.dictionary(path, hash, { minKeys: 1, maxKeys: 12 })

describe('with any files', () => {
  test('later files never make the database outdated', () => {
    fc.assert(
      fc.property(some, fc.array(fc.tuple(folder, fc.integer({ min: 31, max: 99 }))), (old, added) => {
        const later = added.map(([where, number]) => [`${where}${number}_z.sql`, 'new'])
        expect(compareMigrations(at(old), at({ ...Object.fromEntries(later), ...old }))).toBeUndefined()
      }),
    )
  })

  test('a changed old file always makes it outdated', () => {
    fc.assert(
      fc.property(some, some, fc.nat(), (old, added, which) => {
        const changed = Object.keys(old)[which % Object.keys(old).length] as string
        const now = { ...added, ...old, [changed]: 'changed' }
        expect(compareMigrations(at(old), at(now))).toEqual({ outdated: expect.any(String) })
      }),
    )
  })

  test('a removed old file always makes it outdated, while others stay', () => {
    fc.assert(
      fc.property(some, fc.nat(), (old, which) => {
        fc.pre(Object.keys(old).length > 1)
        const now = { ...old }
        delete now[Object.keys(old)[which % Object.keys(old).length] as string]
        expect(compareMigrations(at(old), at(now))).toEqual({ outdated: expect.any(String) })
      }),
    )
  })

  test('a file with a lower number than one beside it always makes it outdated', () => {
    fc.assert(
      fc.property(some, folder, fc.nat(30), (old, where, number) => {
        const beside = { ...old, [`${where}${number + 1}_last.sql`]: 'a1' }
        const now = { ...beside, [`${where}${number}_first.sql`]: 'a1' }
        expect(compareMigrations(at(beside), at(now))).toEqual({ outdated: expect.any(String) })
      }),
    )
  })

  test('a renamed folder never makes it outdated', () => {
    fc.assert(
      fc.property(some, old => {
        const moved = Object.entries(old).map(([path, hash]) => [`elsewhere/${path}`, hash])
        expect(compareMigrations(at(old), at(Object.fromEntries(moved)))).toBeUndefined()
      }),
    )
  })
})
