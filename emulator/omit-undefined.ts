/** An object without its fields that are undefined. */
export type WithoutUndefined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** Omits the undefined fields, which would otherwise override defaults. */
export function omitUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(entry => entry[1] !== undefined),
  ) as WithoutUndefined<Fields>
}
