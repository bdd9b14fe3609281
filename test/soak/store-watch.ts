import { setTimeout as delay } from 'node:timers/promises';
import type { Circumstances } from './circumstances.ts';
import type { FindingKind } from './ledger.ts';
import { ageTemps, type StoreLook } from './store-look.ts';
import type { CountName } from './tally.ts';

const counts: Readonly<Record<FindingKind, CountName>> = {
  lost: 'lost',
  doubled: 'doubled',
  'came back': 'came back',
  'label lost': 'labels lost',
};

/** Two files are read one after the other; what is wrong with both of them together is looked at again after so long. */
const lookAgainAfterMs = 1_500;
/** So many boards and commands that began later would have tidied up. */
const tidiersWithin = 12;

/** Looks at the store again and again, and tells what must not be. */
export class StoreWatch {
  readonly #soak: Circumstances;
  /** Temp files that were made old, with how many boards and commands there had been by then. */
  readonly #aged = new Map<string, number>();

  constructor(soak: Circumstances) {
    this.#soak = soak;
  }

  /** Looks while boards and commands may run. */
  async look(): Promise<void> {
    await this.#look(false);
  }

  /** Looks when nothing runs any more; answers how many parcels there are. */
  async lookForTheLastTime(): Promise<number> {
    return (await this.#look(true)).parcels.length;
  }

  async #look(isQuiet: boolean): Promise<StoreLook> {
    const { ledger, tally } = this.#soak;
    tally.count('store looks');
    const before = ledger.snapshot();
    const look = await this.#soak.lookAtStore();
    for (const { kind, words } of ledger.compare(before, look.parcels, isQuiet)) tally.fail(counts[kind], words);
    const after = ledger.snapshot();
    for (const [trackNo, { isRemoved, revision }] of before) {
      if (!isRemoved || after.get(trackNo)?.revision !== revision || look.trashed.has(trackNo)) continue;
      tally.fail('missing in the trash', `${trackNo} was removed and is not in the trash`);
    }
    for (const words of look.lostFields) tally.fail('foreign fields lost', words);
    for (const words of await this.#confirmed(look.damages)) tally.fail('damaged files', words);
    await this.#followTemps(look.temps);
    return look;
  }

  async #confirmed(damages: readonly string[]): Promise<readonly string[]> {
    if (damages.length === 0) return [];
    await delay(lookAgainAfterMs);
    const again = await this.#soak.lookAtStore();
    return damages.filter((words) => again.damages.includes(words));
  }

  async #followTemps(temps: readonly string[]): Promise<void> {
    const { home, tally } = this.#soak;
    const tidiers = tally.of('boards started') + tally.of('commands run');
    for (const name of await ageTemps(home, temps)) {
      this.#aged.set(name, tidiers);
      tally.count('temps left by kills');
    }
    for (const [name, since] of this.#aged) {
      if (!temps.includes(name)) this.#aged.delete(name);
      else if (tidiers - since > tidiersWithin) {
        tally.fail('temps never tidied', name.replace(/\.[0-9a-z]+\.tmp$/, '.*.tmp'));
      }
    }
  }
}
