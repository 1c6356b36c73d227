/** The environment of a program whose files are gone soon: what was compiled of them would only fill the cache. */
export const uncached = { NODE_DISABLE_COMPILE_CACHE: '1' }
