/** PostgreSQL's own parser. Its types describe whole trees; here only the places of statements are read, in bytes. */
declare module 'libpg-query' {
  export function loadModule(): Promise<void>
  export function parseSync(sql: string): { stmts?: { stmt_location?: number; stmt_len?: number }[] }
}
