/** Returns a function that computes a value at its first call. After a failure, the next call computes it again. */
export function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let computed: Promise<Value> | undefined
  return async () => {
    computed ??= compute()
    try {
      return await computed
    } catch (failure) {
      computed = undefined
      throw failure
    }
  }
}
