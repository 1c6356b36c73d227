/** Finds a setting that an operation reads although its input does not list the operation. */
import { expect } from 'vitest'
import { settingName } from '#operations/base/input-row'
import type { PreviewSettings } from '#preview/base/context'
import { previewInputs } from '#preview/base/inputs'

/** Operations that read the default of a setting in shared code. */
const defaults: Record<string, readonly string[]> = {
  'reset-preview': ['resetOn', 'paths', 'maxPreviews'],
  'get-connection': ['resetOn'],
  'create-masked-parent': ['masked'],
}

const operationsBySetting = new Map<string, readonly string[]>(
  Object.entries(previewInputs).map(([name, row]) => [settingName(name, row), row.operations]),
)

const operations = new Set([...operationsBySetting.values()].flat())

function mayRead(operation: string, name: string): boolean {
  const takers = operationsBySetting.get(name) ?? [operation]
  // At `max_previews`, create-preview names the previews that prune-previews would delete.
  const isForPrune = operation === 'create-preview' && takers.includes('prune-previews')
  return takers.includes(operation) || isForPrune || defaults[operation]?.includes(name) === true
}

/** Returns the same settings. For an operation on previews, reading one that cannot be set for it fails the test. */
export function watchSettings(operation: string, settings: PreviewSettings): PreviewSettings {
  if (!operations.has(operation)) return settings
  return new Proxy(settings, {
    get(target, name) {
      const advice = 'add it to the operations of its input, or to `defaults` in watch-settings.ts'
      // The code may catch an error.
      if (!mayRead(operation, String(name)))
        expect.soft(operation, `${operation} reads ${String(name)}: ${advice}`).toBe('one of its operations')
      return Reflect.get(target, name)
    },
  })
}
