/** Computes a value on first use. After a failure, the next call computes it again. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return async () => {
    made ??= make()
    try {
      return await made
    } catch (failure) {
      made = undefined
      throw failure
    }
  }
}
