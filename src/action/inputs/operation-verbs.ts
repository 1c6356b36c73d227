// Maps common verbs to those of operations.

const otherWords: Record<string, string> = {
  ...{ add: 'create', make: 'create', new: 'create' },
  ...{ destroy: 'delete', drop: 'delete', remove: 'delete', rm: 'delete' },
  ...{ branch: 'fork', clone: 'fork', copy: 'fork' },
  ...{ pause: 'stop', resume: 'start', scale: 'resize', show: 'get', cleanup: 'prune' },
}

/** Replaces a verb by the operations' own: `remove-service` means `delete-service`, not `rename-service`. */
export function withOwnVerbs(operation: string): string {
  return operation
    .toLowerCase()
    .split(/[-_\s]+/)
    .map(word => (Object.hasOwn(otherWords, word) ? otherWords[word] : word))
    .join('-')
}
