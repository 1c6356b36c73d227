/** Makes a value once, when it is first needed. After a failure, the next call tries again. */
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
