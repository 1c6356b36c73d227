/** What people say for the verbs of operations. */
const otherWords: Record<string, string> = {
  ...{ add: 'create', make: 'create', new: 'create' },
  ...{ destroy: 'delete', drop: 'delete', remove: 'delete', rm: 'delete' },
  ...{ branch: 'fork', clone: 'fork', copy: 'fork' },
  ...{ pause: 'stop', resume: 'start', scale: 'resize', show: 'get', cleanup: 'prune' },
}

/** With our verb in place of another for the same: `remove-service` means `delete-service`, not `rename-service`. */
export function inOurWords(operation: string): string {
  return operation
    .toLowerCase()
    .split(/[-_\s]+/)
    .map(word => (Object.hasOwn(otherWords, word) ? otherWords[word] : word))
    .join('-')
}
