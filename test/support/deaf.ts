/** Loaded before a program: what shall end does not hear of it, as with a defect that nobody thought of. */
AbortController.prototype.abort = () => {}
