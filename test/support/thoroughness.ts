/**
 * The factor for the number of cases in tests that need a database for each case: THOROUGH, by default 1, and 20 each
 * night.
 */
export const thoroughness = Number(process.env.THOROUGH || 1)
