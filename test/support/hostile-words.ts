import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that appears in the working directory of a shell that has run one of {@link hostileWords}. */
export const canary = 'canary';

/** Words that a shell must not expand, and that must not be suggested to it. */
export const hostileWords: readonly string[] = [
  `$(touch$\u007bIFS}${canary})`,
  `$(touch ${canary})`,
  `(touch ${canary})`,
  `\`touch ${canary}\``,
  `<(touch ${canary})`,
  `ups;touch ${canary};`,
  `ups\ntouch ${canary}`,
  `"; touch ${canary}; "`,
  `'; touch ${canary}; '`,
  `a[$(touch ${canary})]`,
  `#(touch ${canary})`,
  '*',
  '~',
  '{good,bad}',
  '!!',
  'two words',
  '-rf',
  '--courier',
  '\u001b[2J',
];

/**
 * Writes a watchlist and a courier list with hostile words between valid ones, which are `LX1` and `12/34.56_7`,
 * `ups` and `china-post`. The labels of the valid numbers are also hostile.
 */
export async function writeHostileFiles(dataHome: string, cacheHome: string): Promise<void> {
  const [data, cache] = [dataHome, cacheHome].map((base) => join(base, 'parcel-monitor')) as [string, string];
  await Promise.all([data, cache].map((folder) => mkdir(folder, { recursive: true })));
  const labels: Readonly<Record<string, string>> = { LX1: `$(touch ${canary}) "lamp"`, '12/34.56_7': '\u001b[2J' };
  const parcels = ['LX1', ...hostileWords, '12/34.56_7'].map((trackNo, index) => ({
    id: `p${index}`,
    trackNo,
    label: labels[trackNo] ?? null,
  }));
  await writeFile(join(data, 'watchlist.json'), JSON.stringify({ version: 1, parcels }));
  const couriers = ['ups', ...hostileWords, 'china-post'].map((code) => ({
    code,
    nameEN: code,
    nameCN: null,
    homePage: null,
  }));
  await writeFile(join(cache, 'couriers.json'), JSON.stringify({ version: 1, fetchedAt: Date.now(), couriers }));
}
