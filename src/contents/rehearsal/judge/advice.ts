/** Gives the usual alternative to a statement that blocks others. */
import { essenceOf } from '../result/statement-text.ts'

/** The facts on which the advice depends. */
export interface Situation {
  sql: string
  isHypertable: boolean
  isPartitioned: boolean
  /** The major version of the server. */
  version: number
  /** The transaction stays open long after the statement. */
  isHeldLong: boolean
}

type Rule = [pattern: RegExp, advice: (situation: Situation) => string]

const inBatches = 'change the rows in batches, each a transaction of its own'

/** The first rule whose pattern matches gives the advice. */
const rules: Rule[] = [
  [
    /^CREATE (UNIQUE )?INDEX\b/,
    ({ isHypertable, isPartitioned }) => {
      if (isHypertable)
        return 'add WITH (timescaledb.transaction_per_chunk): it locks one chunk at a time (hypertables do not support CONCURRENTLY)'
      return isPartitioned
        ? 'create it ON ONLY the table, CONCURRENTLY on each partition, and attach those'
        : 'use CREATE INDEX CONCURRENTLY, outside of a transaction'
    },
  ],
  [
    /^DROP INDEX\b/,
    ({ isHypertable, isPartitioned }) =>
      isHypertable || isPartitioned
        ? 'drop it in a short transaction with `lock_timeout`, and retry it if the timeout expires (CONCURRENTLY is not possible here)'
        : 'use DROP INDEX CONCURRENTLY, outside of a transaction',
  ],
  [
    /^REINDEX\b/,
    ({ isHypertable }) =>
      isHypertable
        ? 'use REINDEX INDEX CONCURRENTLY on the index of one chunk after the other'
        : 'use REINDEX with CONCURRENTLY, outside of a transaction',
  ],
  [
    /^REFRESH MATERIALIZED VIEW\b/,
    () => 'use REFRESH MATERIALIZED VIEW CONCURRENTLY, which needs a unique index on the view',
  ],
  [
    /^(VACUUM|CLUSTER)\b/,
    () => 'use VACUUM without FULL, or an extension such as pg_repack: both lock only briefly',
  ],
  [
    /^ALTER TABLE\b.*\b(PRIMARY KEY|UNIQUE)\b/,
    ({ isHypertable, isPartitioned }) =>
      isHypertable || isPartitioned
        ? 'add it while there are few writers, with lock_timeout: this table cannot use an existing index for a constraint'
        : 'build the index with CREATE UNIQUE INDEX CONCURRENTLY, then ADD CONSTRAINT … USING INDEX',
  ],
  [
    /^ALTER TABLE\b.*\bSET NOT NULL\b/,
    ({ version, isHypertable }) => {
      if (isHypertable) return 'set it while there are few writers, with lock_timeout: every chunk is read'
      return version >= 18
        ? 'use ADD CONSTRAINT … NOT NULL … NOT VALID, and VALIDATE CONSTRAINT in a transaction of its own'
        : 'add CHECK (… IS NOT NULL) NOT VALID, VALIDATE it in a transaction of its own, then SET NOT NULL, which reads no rows'
    },
  ],
  [
    /^ALTER TABLE\b.*\b(FOREIGN KEY|REFERENCES|CHECK)\b(?!.*\bNOT VALID\b)/,
    ({ isHypertable, isPartitioned, version }) =>
      isHypertable || (isPartitioned && version < 18)
        ? 'add it while there are few writers, with lock_timeout: this table does not take every constraint as NOT VALID'
        : 'add it NOT VALID, and VALIDATE CONSTRAINT in a transaction of its own',
  ],
  [
    /^ALTER DOMAIN\b(?!.*\bNOT VALID\b)/,
    () =>
      'add it NOT VALID, which checks only new values; run VALIDATE CONSTRAINT while there are few writers, since it blocks them',
  ],
  [
    /^ALTER TABLE\b.*\b(TYPE|GENERATED|IDENTITY)\b/,
    () => `add a new column, ${inBatches}, and switch the application to it`,
  ],
  [
    /^ALTER TABLE\b.*\bADD\b.*\bDEFAULT\b/,
    () => `add the column without the default, set the default, and ${inBatches}`,
  ],
  [/^ALTER TABLE\b.*\bVALIDATE CONSTRAINT\b/, () => 'validate it in a transaction of its own'],
  [/^(UPDATE|DELETE|MERGE|INSERT|WITH)\b/, () => inBatches],
]

const defaultAdvice =
  'keep the transaction short: set `lock_timeout`, and retry the migration if the timeout expires'

/** The usual alternative to a statement that blocks others, in one line. */
export function adviceFor(situation: Situation): string {
  if (situation.isHeldLong)
    return 'the lock is held to the end of the transaction, long after the statement: make it the last statement, set `lock_timeout`, and retry the migration if the timeout expires'
  const statement = essenceOf(situation.sql).toUpperCase()
  const [, advise] = rules.find(([pattern]) => pattern.test(statement)) ?? []
  return advise === undefined ? defaultAdvice : advise(situation)
}
