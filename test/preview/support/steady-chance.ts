/** Chance without faults. */
import { Chance } from '../../simulator/chance.ts'

/** Draws only random names: without faults, and always the last of several choices. */
export class SteadyChance extends Chance {
  override hits(): boolean {
    return false
  }

  override pick<Item>(items: readonly Item[]): Item {
    return items.at(-1) as Item
  }
}
