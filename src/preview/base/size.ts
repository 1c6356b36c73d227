/** How large a preview is, and so what it costs: a fork is as large as its parent, unless a smaller size is asked for. */
import type { Service } from '#api/records'

/** Thousandths of a core. A preview with more is worth a warning where its size was not chosen. */
const large = 2000

const specOf = ({ resources = [] }: Service) => resources[0]?.spec ?? {}

/** `0.5 CPU, 2 GB`; undefined where the record does not show it. */
export function renderSize(service: Service): string | undefined {
  const { cpu_millis, memory_gbs } = specOf(service)
  const parts = [
    cpu_millis !== undefined && `${cpu_millis / 1000} CPU`,
    memory_gbs !== undefined && `${memory_gbs} GB`,
  ].filter(part => part !== false)
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** Whether it has more than 2 CPU. */
export const isLarge = (service: Service) => (specOf(service).cpu_millis ?? 0) > large
