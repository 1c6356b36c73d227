/**
 * How much more is tried than in the run that a person waits for, where databases make each case dear: THOROUGH, 20 each
 * night.
 */
export const thoroughness = Number(process.env.THOROUGH || 1)
