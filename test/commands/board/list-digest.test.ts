import { appendFile, chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ShowBoard } from '../../../src/commands/session/context.ts';
import type { AheadRequest } from '../../../src/screen/board-request.ts';
import { createFileStore } from '../../../src/watchlist/store/file-store.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { realClock } from '../../support/real-clock.ts';
import { parcelOf } from '../../watchlist/parcels.ts';

let user: CliUser;
beforeEach(async () => {
  user = await createCliUser();
  await fill(600);
});
afterEach(() => user.remove());

const digestFile = (): string => join(user.home, '.local', 'state', 'parcel-monitor', 'list-digest.json');
const dataFolder = (): string => join(user.home, '.local', 'share', 'parcel-monitor');
const indexFile = (): string => join(dataFolder(), 'watchlist.json');
const isThere = (): Promise<boolean> =>
  stat(digestFile()).then(
    () => true,
    () => false,
  );

/** Lets so many parcels be watched, of which none is due soon. */
async function fill(count: number): Promise<void> {
  const nextPollAt = new Date(Date.now() + 3 * 60 * 60_000).toISOString();
  const parcels = Array.from({ length: count }, (_, index) =>
    parcelOf(`RB${100_000_000 + index}CN`, { id: `parcel-${index}`, label: `Order ${index}`, nextPollAt }),
  );
  const store = createFileStore({ directory: dataFolder(), clock: realClock, random: Math.random });
  await store.update((watchlist) => ({ ...watchlist, parcels }));
}

/** Opens a board that is left at once; answers what was shown before its watchlist was read, and what the board began with. */
async function openBoard(words: readonly string[] = []) {
  let ahead: (AheadRequest & { readonly read: number; readonly rows: number }) | null = null;
  let read = -1;
  const showBoard: ShowBoard = async ({ monitor }) => {
    read = monitor.getState().parcels.length;
    return { reason: 'quit', error: null };
  };
  const { exitCode, stderr } = await user.run(words, {
    environment: { PARCEL_MONITOR_API_KEY: 'key', PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/' },
    showBoard,
    showAhead: async (request) => {
      const rows = request.digest.arrangement.order.flatMap((outline) => request.digest.whole(outline) ?? []).length;
      ahead = { ...request, read: request.monitor.getState().parcels.length, rows };
    },
  });
  // A demonstration says at its end how one begins with parcels of one's own.
  const said = words.includes('--demo') ? expect.stringContaining('That was the demo.') : '';
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: said });
  return { ahead: ahead as (AheadRequest & { readonly read: number; readonly rows: number }) | null, read };
}

it('is shown by the next board before it has read the watchlist', async () => {
  expect(await openBoard()).toEqual({ ahead: null, read: 600 });
  expect((await stat(digestFile())).mode & 0o777).toBe(0o600);
  const { ahead, read } = await openBoard();
  expect(ahead?.read).toBe(0);
  expect(ahead?.rows).toBe(600);
  expect(ahead?.polling).toMatchObject({ phase: 'waiting', problem: null });
  expect(read).toBe(600);
});

it('is kept of no short watchlist', async () => {
  await fill(499);
  await openBoard();
  expect(await isThere()).toBe(false);
});

it('is not shown of a watchlist that somebody has written since, and made anew', async () => {
  await openBoard();
  const before = await readFile(digestFile(), 'utf8');
  await fill(601);
  expect((await openBoard()).ahead).toBeNull();
  expect(await readFile(digestFile(), 'utf8')).not.toBe(before);
  expect((await openBoard()).ahead?.rows).toBe(601);
});

it('is not written again while it holds', async () => {
  await openBoard();
  const { ino } = await stat(digestFile());
  await openBoard();
  expect((await stat(digestFile())).ino).toBe(ino);
});

it('is not shown when it is damaged, of another version, or what its places name is no parcel', async () => {
  await openBoard();
  const text = await readFile(digestFile(), 'utf8');
  const value = JSON.parse(text);
  const wrong = [
    '',
    text.slice(0, -20),
    'null',
    JSON.stringify({ ...value, program: '0.0.0' }),
    JSON.stringify({ ...value, mark: '1-2-3' }),
    JSON.stringify({ ...value, ids: value.ids.replace('parcel-7', 'parcel-7 \u001b[2J') }),
    JSON.stringify({ ...value, groups: [['\u001b[2J', 600]] }),
    JSON.stringify({ ...value, zone: 'Asia/Tokyo' }),
  ];
  for (const [index, other] of wrong.entries()) {
    await writeFile(digestFile(), other);
    expect([index, (await openBoard()).ahead]).toEqual([index, null]);
    // The board has made it anew.
    expect([index, (await openBoard()).ahead?.rows]).toEqual([index, 600]);
  }
});

it('says nothing, and keeps nothing, where nothing can be written', async () => {
  await openBoard();
  await appendFile(indexFile(), '\n');
  const before = await readFile(digestFile(), 'utf8');
  await chmod(dirname(digestFile()), 0o500);
  try {
    await openBoard();
    if (process.geteuid?.() !== 0) expect(await readFile(digestFile(), 'utf8')).toBe(before);
  } finally {
    await chmod(dirname(digestFile()), 0o700);
  }
});

it('is not shown to somebody who sets the service up', async () => {
  await openBoard();
  await mkdir(dirname(digestFile()), { recursive: true });
  expect((await openBoard(['setup'])).ahead).toBeNull();
});

it('is neither read nor written by a demonstration', async () => {
  await openBoard();
  const { ino } = await stat(digestFile());
  expect((await openBoard(['--demo'])).ahead).toBeNull();
  expect((await stat(digestFile())).ino).toBe(ino);
});
