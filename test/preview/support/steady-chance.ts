import { Chance } from '../../simulator/chance.ts'

/** Chance that draws only random names: nothing ever goes wrong, and of several choices the last is taken. */
export class SteadyChance extends Chance {
  override hits(): boolean {
    return false
  }

  override pick<Item>(items: readonly Item[]): Item {
    return items.at(-1) as Item
  }
}
