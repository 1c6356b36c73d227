/** Records which settings of previews each operation reads, to compare them with the rows of the inputs. */
import type { AllSettings } from '#database/context'
import { settingName } from '#operations/base/input-row'
import { previewInputs } from '#preview/base/inputs'

const describeReading = (operation: string, setting: string) => `${operation} reads ${setting}`

/** The readings that the rows of the inputs promise. */
export const listedReadings = Object.entries(previewInputs).flatMap(([name, row]) =>
  row.operations.map(operation => describeReading(operation, settingName(name, row))),
)

/** Returns the same settings. Adds each setting of previews that the operation reads to `readings`. */
export function watchSettings(settings: AllSettings, operation: string, readings: Set<string>): AllSettings {
  const preview = new Proxy(settings.preview, {
    get(target, name) {
      readings.add(describeReading(operation, String(name)))
      return Reflect.get(target, name)
    },
  })
  return { ...settings, preview }
}
