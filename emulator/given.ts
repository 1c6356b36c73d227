/** An object without its fields that are undefined. */
export type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** Omits the undefined fields, which would otherwise override defaults. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(entry => entry[1] !== undefined)) as Given<Fields>
}
