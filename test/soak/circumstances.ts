import type { Random } from '../../src/lib/clock.ts';
import { s10Number } from '../../src/sandbox/journey/journey.ts';
import { pick } from '../../src/sandbox/seeded-random.ts';
import { digits, upsNumber } from '../support/tracking-numbers.ts';
import type { CallLog } from './call-log.ts';
import type { Ledger } from './ledger.ts';
import type { StoreLook } from './store-look.ts';
import type { Tally } from './tally.ts';

/** What everybody who acts in a soak shares. */
export interface Circumstances {
  readonly cli: string;
  /** Folder that holds the user's folders. */
  readonly home: string;
  readonly ledger: Ledger;
  readonly log: CallLog;
  readonly tally: Tally;
  /** Looks at what everybody works on. */
  lookAtStore(): Promise<StoreLook>;
  /** Numbers that nobody takes away, because they carry what the program does not know. */
  readonly marked: readonly string[];
  /** The environment of a process; `who` is how the gate knows it. */
  environment(who: string): Readonly<Record<string, string>>;
  /** A number that was never used before. */
  freshNumber(): string;
  /** A label that was never used before. */
  freshLabel(): string;
}

/** As many parcels as a person may watch; more or fewer are brought back towards it. */
export const usualParcels = 40;

/** Makes numbers of several kinds, each once. */
export function numberMaker(random: Random): () => string {
  const used = new Set<string>();
  const makers: readonly (() => string)[] = [
    () => s10Number(random, pick(random, ['RB', 'LX', 'CP', 'EE']), pick(random, ['CN', 'DE', 'GB', 'FR'])),
    () => upsNumber(random),
    () => `YT${digits(random, 16)}`,
    () => digits(random, 12),
  ];
  return () => {
    for (;;) {
      const number = pick(random, makers)();
      if (used.has(number)) continue;
      used.add(number);
      return number;
    }
  };
}

/** Some of the items, none of them twice. */
export function someOf<Item>(random: Random, items: readonly Item[], most: number): readonly Item[] {
  const left = [...items];
  const taken: Item[] = [];
  const count = 1 + Math.floor(random() * most);
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}
