import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../src/lib/clock.ts';
import { s10Number } from '../../src/sandbox/journey/journey.ts';
import { pick } from '../../src/sandbox/seeded-random.ts';
import { homeEnvironment } from '../support/home.ts';
import { digits, upsNumber } from '../support/tracking-numbers.ts';

/** Creates a user's folders, and returns the environment of that user's programs. */
export async function createHome(home: string): Promise<Record<string, string>> {
  const environment = homeEnvironment(home);
  const config = join(home, 'config', 'parcel-monitor');
  await mkdir(config, { recursive: true });
  await mkdir(join(home, 'tmp'));
  await writeFile(join(config, 'config.json'), JSON.stringify({ service: { timeoutSeconds: 2 } }));
  return environment;
}

/** Returns a function that returns a new number of a random kind on each call. */
export function createNumberGenerator(random: Random): () => string {
  const used = new Set<string>();
  const generators: readonly (() => string)[] = [
    () => s10Number(random, pick(random, ['RB', 'LX', 'CP', 'EE']), pick(random, ['CN', 'DE', 'GB', 'FR'])),
    () => upsNumber(random),
    () => `YT${digits(random, 16)}`,
    () => digits(random, 12),
  ];
  return () => {
    for (;;) {
      const number = pick(random, generators)();
      if (used.has(number)) continue;
      used.add(number);
      return number;
    }
  };
}
