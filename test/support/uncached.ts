/** Disables the compile cache for programs in temporary files, which would only fill it. */
export const uncached = { NODE_DISABLE_COMPILE_CACHE: '1' }
