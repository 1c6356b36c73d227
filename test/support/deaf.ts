/** Loaded before a program: aborting has no effect, as with a defect that nobody thought of. */
AbortController.prototype.abort = () => {}
