import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../src/lib/clock.ts';
import { fastClockEnvironment } from '../clock/clock-shift.ts';
import { openAccount } from './account.ts';
import { createHome, type Home } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();

const speed = 5;

/** Keeps one parcel on the watchlist, which has had no news for days and is due tomorrow. */
async function keepOneDueTomorrow({ watchlist: path }: Home): Promise<void> {
  const watchlist = JSON.parse(await readFile(path, 'utf8'));
  const [parcel] = watchlist.parcels;
  const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
  const tomorrow = day + 30.5 * minute;
  parcel.nextPollAt = fromNow(tomorrow);
  // Until it is measured, the service's clock is assumed to be eight hours ahead of UTC.
  parcel.record.nextUpdateTime = fromNow(tomorrow + 8 * hour)
    .slice(0, 19)
    .replace('T', ' ');
  parcel.lastEvent.at = fromNow(-3.5 * day);
  await writeFile(path, JSON.stringify({ ...watchlist, parcels: [parcel] }));
}

test('an idle board writes no bytes', async () => {
  const account = await openAccount(await createHome(), cli);
  await keepOneDueTomorrow(account.home);
  const run = account.openBoard(account.formerBaseUrl, fastClockEnvironment(speed));
  await run.waitForText('i facts');
  const settled = await run
    .type('i')
    .waitFor((text) => text.includes('in 1 d') && / (?:\d+ events|\d+–\d+ of \d+) · /.test(text), 'a settled board');
  await run.waitFor((text) => /● +\d\d:\d\d/.test(text), 'the timeline');
  // The first frame is followed by the sequences that turn on bracketed paste and set the title.
  await run.waitFor(() => /\u001b\[\?2004h[\s\S]*\u001b\]0;/.test(run.outputSince(0)), 'Ink');
  const outputOfInterval = async (): Promise<string> => {
    const mark = run.written();
    // Long enough for the board to check once whether another process has written the watchlist.
    await delay(6_000 / speed);
    return run.outputSince(mark);
  };
  // An age in minutes may change during one interval, but not during two in a row.
  const output = await outputOfInterval();
  expect(output === '' ? '' : await outputOfInterval()).toBe('');
  expect(run.text().split('\n')[0]).toBe(settled.split('\n')[0]);
});
