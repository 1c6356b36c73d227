import { Chance } from '../../simulator/chance.ts'

/** Chance that leaves nothing to chance but random names: nothing befalls anybody, and of several the last is taken. */
export class SteadyChance extends Chance {
  override hits(): boolean {
    return false
  }

  override pick<Item>(items: readonly Item[]): Item {
    return items.at(-1) as Item
  }
}
