/** Whether a value that may be anything has fields by name. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that may be anything, if it is a text. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
