/** PostgreSQL's parameters, by name. */
export type Settings = Record<string, string>
