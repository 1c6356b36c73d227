/** Tests the comparison of migrations between commits. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compareMigrations, type Migrations } from '#preview/prepare/migrations'

const paths = ['**']
const at = (blobs: Record<string, string>): Migrations => ({ paths, blobs })

/** Files as `path=content`, or as a path that is its own content, separated by blanks. */
const files = (names: string) =>
  at(
    Object.fromEntries(
      names.split(' ').map(name => [name.replace(/=.*/, ''), name.replace(/.*=|.*\//, '')] as const),
    ),
  )

/** The files before, and the files after; these begin with `+` if they are in addition. */
const change = (before: string, after: string): [Migrations, Migrations] => [
  files(before),
  files(after.replace(/^\+/, before)),
]

describe('a database fits its files if', () => {
  it.each([
    ['nothing changes', 'm/1_a.sql', 'm/1_a.sql'],
    ['a longer number comes after a shorter one', 'm/9_a.sql', '+ m/10_b.sql'],
    ['Flyway counts on', 'V2__a.sql R__v.sql', '+ V10__b.sql'],
    ['Flyway counts in parts', 'V1.9__a.sql V1__b.sql', '+ V1.10__c.sql'],
    ['Flyway counts with underscores', 'V1_9__a.sql', '+ V1_10__c.sql V2__d.sql'],
    ['Flyway counts with both', 'V1.9__a.sql', '+ V1_10__b.sql'],
    [
      'Prisma adds a folder, beside a file without a number',
      'p/20250101_a/migration.sql p/migration_lock.toml',
      '+ p/20250102_b/migration.sql',
    ],
    [
      'Django counts in each app by itself',
      'shop/migrations/0002_a.py blog/migrations/0001_b.py shop/migrations/__init__.py',
      '+ blog/migrations/0002_c.py auth/migrations/0001_d.py',
    ],
    [
      'Alembic makes up its names',
      'v/1975ea83b712_a.py v/ae1027a6acf_b.py',
      '+ v/0c6a30d7c24e_c.py v/1b2_d.py',
    ],
    ['a second file has the same number', 'm/0003_b.up.sql', '+ m/0003_b.down.sql m/3_a.sql'],
    ['Laravel writes the date in parts', 'm/2025_09_30_000000_a.php', '+ m/2025_10_01_000000_b.php'],
    [
      'the whole folder has another name',
      'db/1_a.sql db/2_b.sql',
      'new/sql/1_a.sql new/sql/2_b.sql new/sql/3_c.sql',
    ],
    [
      'the folder of a tool with a folder for each migration has another name',
      'db/20250101_a/migration.sql db/20250102_b/migration.sql',
      'prisma/20250101_a/migration.sql prisma/20250102_b/migration.sql',
    ],
  ])('%s', (_, before, after) => {
    expect(compareMigrations(...change(before, after))).toBeUndefined()
  })

  it('there were no files yet', () => {
    expect(compareMigrations(at({}), files('m/1_a.sql'))).toBeUndefined()
  })
})

describe('a database is outdated if', () => {
  it.each([
    ['a file was changed', 'm/1_a.sql', 'm/1_a.sql=x', 'm/1_a.sql was changed'],
    ['a file was removed', 'm/1_a.sql m/2_b.sql', 'm/1_a.sql m/3_b.sql', 'm/2_b.sql was removed'],
    [
      'a file was put before others',
      'm/1_a.sql m/9_b.sql m/10_c.sql',
      '+ m/2_d.sql',
      'm/2_d.sql was put before m/10_c.sql',
    ],
    [
      'Flyway gets a version between others',
      'V1__a.sql V2__b.sql',
      '+ V1.1__c.sql',
      'V1.1__c.sql was put before V2__b.sql',
    ],
    [
      'a folder of Prisma was put before others',
      'p/20250101_a/migration.sql p/20250103_c/migration.sql',
      '+ p/20250102_b/migration.sql',
      'p/20250102_b/migration.sql was put before p/20250103_c/migration.sql',
    ],
    [
      'the only folder of Prisma got another date',
      'p/20250101_a/migration.sql',
      'p/20250102_a/migration.sql',
      'p/20250101_a/migration.sql was removed',
    ],
    [
      'all were counted anew',
      'm/1_a.sql=a m/2_b.sql=b',
      'm/2_a.sql=a m/3_b.sql=b',
      'm/1_a.sql was removed, and 1 more',
    ],
    ['all were joined into one', 'm/1_a.sql m/2_b.sql', 'm/20_all.sql', 'm/1_a.sql was removed, and 1 more'],
    [
      'the folder has another name, and one of its files another content',
      'db/1_a.sql db/2_b.sql',
      'sql/1_a.sql sql/2_b.sql=x',
      'db/2_b.sql was removed',
    ],
    [
      'several changes come together: the changed files first, in their order',
      'm/9_a.sql m/10_b.sql m/11_c.sql',
      'm/9_a.sql m/10_b.sql=x m/1_d.sql',
      'm/10_b.sql was changed, and 2 more',
    ],
    [
      'a file has the name of something that every object has',
      '__proto__ constructor',
      'constructor',
      '__proto__ was removed',
    ],
  ])('%s', (_, before, after, outdated) => {
    expect(compareMigrations(...change(before, after))).toEqual({ outdated })
  })
})

describe('the comparison is inconclusive if', () => {
  it.each<[string, Migrations | undefined, Migrations, string]>([
    ['nothing was noted', undefined, files('a.sql'), 'nothing was noted of them so far'],
    [
      'reset_on is another one',
      { paths: ['db'], blobs: {} },
      files('a.sql'),
      'reset_on was another one before',
    ],
    ['all files are gone', files('a.sql'), at({}), 'all of them are gone, perhaps to another folder'],
  ])('%s', (_, before, after, unknown) => {
    expect(compareMigrations(before, after)).toEqual({ unknown })
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
