/** Disables the compile cache, for programs whose files are deleted soon: they would only fill it. */
export const uncached = { NODE_DISABLE_COMPILE_CACHE: '1' }
