/** Preloaded into a program: makes aborting ineffective, to simulate an unknown defect. */
AbortController.prototype.abort = () => {}
