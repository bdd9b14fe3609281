import type { Random } from '../../src/lib/clock.ts';
import { s10Number } from '../../src/sandbox/journey/last-mile.ts';
import { pick } from '../../src/sandbox/seeded-random.ts';
import { digits, upsNumber } from '../support/tracking-numbers.ts';

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
