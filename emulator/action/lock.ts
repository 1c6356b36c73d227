/** The relevant parts of a package.json and its package-lock.json. */
export interface Manifest {
  name: string
  dependencies: Record<string, string>
}

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  [more: string]: unknown
}

export interface Lock {
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}

/** The place of a package for its dependent: in the dependent's own folder, or in one around it. */
function find(name: string, from: string, { packages }: Lock): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    if (path in packages) return path
    if (place === '') return undefined
  }
}

/** Keeps a package and its dependencies. `from` is the path of the dependent. */
function keep(name: string, from: string, lock: Lock, kept: Map<string, LockedPackage>): void {
  const path = find(name, from, lock)
  if (path === undefined || kept.has(path)) return
  const locked = lock.packages[path] ?? {}
  kept.set(path, locked)
  const next = { ...locked.dependencies, ...locked.optionalDependencies }
  for (const dependency of Object.keys(next)) keep(dependency, path, lock, kept)
}

/**
 * Reduces a package.json and its lock to the packages that the emulator needs at run time, in the same
 * versions. These are exactly the `dependencies`: all others are for building and testing, or are bundled.
 */
export function reduceToNeeded({ dependencies }: Manifest, lock: Lock): { manifest: object; lock: object } {
  const kept = new Map<string, LockedPackage>()
  for (const name of Object.keys(dependencies)) keep(name, '', lock, kept)
  const packages = Object.fromEntries(
    [...kept].map(([path, { dev, devOptional, ...locked }]) => {
      // `devOptional`: needed for development, and optional otherwise. Only the latter matters for the emulator.
      return [path, devOptional ? { ...locked, optional: true } : locked]
    }),
  )
  const head = { name: 'emulator', private: true, dependencies }
  return {
    manifest: head,
    lock: { name: 'emulator', lockfileVersion: lock.lockfileVersion, packages: { '': head, ...packages } },
  }
}
