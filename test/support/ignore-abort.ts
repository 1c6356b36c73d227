/** Preloaded into a program: disables aborting, to simulate an unknown defect. */
AbortController.prototype.abort = () => {}
