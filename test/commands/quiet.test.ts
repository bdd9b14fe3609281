import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { aCheckpoint, aParcel, aRecord, day } from '../board/parcels.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { realClock } from '../support/real-clock.ts';

let user: CliUser;
beforeAll(async () => {
  user = await createCliUser();
  const folder = join(user.home, '.local', 'share', 'parcel-monitor');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'watchlist.json'), JSON.stringify({ version: 1, parcels }));
});
afterAll(() => user.remove());

const since = (days: number): string => new Date(realClock.now() - (days + 0.5) * day).toISOString();
const parcels: readonly Parcel[] = [
  aParcel({ id: 'quiet', trackNo: 'QUIET1', lastEvent: aCheckpoint({ at: since(5) }) }),
  aParcel({ id: 'moving', trackNo: 'MOVING1', lastEvent: aCheckpoint({ at: since(1) }) }),
  ...Array.from({ length: 10 }, (_, at) =>
    aParcel({
      id: `delivered-${at}`,
      trackNo: `DONE${at}`,
      archivedAt: since(20),
      lastEvent: aCheckpoint({ at: since(30) }),
      record: aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01', longestStillDays: 2 }),
    }),
  ),
];

test('a list marks quiet parcels and can filter them', async () => {
  const { stdout } = await user.run(['list']);
  expect(stdout).toMatch(/QUIET1 .*, quiet 5 d, usually 2/);
  expect(stdout).not.toMatch(/MOVING1 .*quiet/);
  const filtered = await user.run(['list', '--json', '--filter', 'is:quiet']);
  expect(JSON.parse(filtered.stdout)).toMatchObject({ parcels: [{ trackNo: 'QUIET1' }] });
});

test('show explains a quiet parcel in a sentence', async () => {
  const sentence = 'Quiet for 5 days: Yanwen parcels usually move within 2 days.';
  expect((await user.run(['show', 'QUIET1'])).stdout).toContain(sentence);
  expect((await user.run(['show', 'MOVING1'])).stdout).not.toContain('Quiet');
});
