import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { hourMs as hour } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { createFileStore, type FileStore } from '../../src/store/file/file-store.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { aCheckpoint, aParcel, aRecord } from '../board/parcels.ts';
import { clockShiftVariable, testClockEnvironment } from '../clock/clock-shift.ts';
import { eventually } from '../support/eventually.ts';
import type { TerminalRun } from '../support/pseudo-terminal.ts';
import { realClock } from '../support/real-clock.ts';
import { selectedRow } from './board-screen.ts';
import { createHome, type Home } from './home.ts';
import { ownProgram } from './program.ts';
import { runInTerminal } from './terminal-driver.ts';

const cli = await ownProgram();
const [focusIn, focusOut] = ['\u001b[I', '\u001b[O'];

/** The watchlist as another process sees it. */
const openStore = (home: Home): FileStore =>
  createFileStore({
    directory: dirname(home.watchlist),
    clock: realClock,
    random: Math.random,
    processes: createProcesses(process),
  });

const write = async (home: Home, now: number, ...parcels: readonly Parcel[]): Promise<void> => {
  const store = openStore(home);
  const known = await store.read();
  const { isWritten } = await store.write(
    parcels.map((parcel) => ({ id: parcel.id, parcel })),
    known,
    now,
  );
  expect(isWritten).toBe(true);
};

/** A parcel in transit or delivered, with its newest event at an instant. */
const parcel = (label: string, at: number, transitStatus = 'IN_TRANSIT', detail = 'Departed'): Parcel =>
  aParcel({
    id: label,
    trackNo: `RB${label}`,
    label,
    addedAt: new Date(at - 24 * hour).toISOString(),
    record: aRecord({ transitStatus, transitSubStatus: null }),
    lastEvent: aCheckpoint({
      at: new Date(at).toISOString(),
      local: null,
      offset: null,
      detail,
      address: null,
      subStatus: null,
    }),
  });

async function openBoard(home: Home, environment: Readonly<Record<string, string>> = {}): Promise<TerminalRun> {
  const run = runInTerminal(process.execPath, [cli], {
    size: [120, 30],
    environment: { ...home.environment, ...environment },
  });
  // Delivered parcels disappear as soon as the board replaces the saved screen.
  await run.waitForText('Kettle');
  return run;
}

async function quit(run: TerminalRun): Promise<void> {
  run.type('q');
  expect(await run.exit).toEqual({ code: 0, signal: 0 });
}

const unreadIds = async (home: Home): Promise<readonly string[]> => {
  const { parcels }: { parcels: readonly Parcel[] } = JSON.parse(await readFile(home.watchlist, 'utf8'));
  return parcels.filter(({ unread }) => unread !== undefined).map(({ id }) => id);
};

test('changes overnight are reported in the morning, shown with n, and marked as read only in a focused terminal', async () => {
  const home = await createHome();
  const now = Date.now();
  const evening = now - 9 * hour;
  await write(home, evening, parcel('Lamp', evening), parcel('Kettle', evening), parcel('Shoes', evening));
  const ownShift = Number(process.env[clockShiftVariable] ?? 0);
  const before = await openBoard(home, {
    ...testClockEnvironment(),
    [clockShiftVariable]: String(ownShift - 9 * hour),
  });
  expect(before.text()).not.toContain('away');
  await quit(before);

  await write(
    home,
    now,
    parcel('Lamp', now - 2 * hour, 'DELIVERED', 'Left at the door'),
    parcel('Kettle', now - hour, 'IN_TRANSIT', 'Sorted'),
  );
  const run = await openBoard(home);
  // Without a test clock there would be no evening.
  await run.waitFor(
    (text) => /While you were away( \(9 h\))?: 1 delivered, 1 moved. Press n to see them./.test(text),
    'the night',
  );
  run.type(focusOut);
  const news = await run.type('n').waitForText('News · 2 since your last visit');
  expect(news.indexOf('Sorted')).toBeGreaterThan(0);
  expect(news.indexOf('Sorted')).toBeLessThan(news.indexOf('Left at the door'));
  await run.press('down').waitFor((text) => selectedRow(text).includes('Left at the door'), 'the second selected');
  await run
    .press('enter')
    .waitFor((text) => text.includes('⏎ timeline') && selectedRow(text).includes('Lamp'), 'the lamp in the list');
  expect(await unreadIds(home)).toEqual(['Lamp', 'Kettle']);
  run.type(focusIn);
  await eventually(async () => expect(await unreadIds(home)).toEqual(['Kettle']));
  await run.type('M').waitForText('Marked 1 parcel as read.');
  await eventually(async () => expect(await unreadIds(home)).toEqual([]));
  await quit(run);

  const again = await openBoard(home);
  const old = await again.type('n').waitForText('╭ News ─');
  expect(old).not.toContain('new');
  expect(old).not.toContain('seen before');
  await again.type('q').waitForText('⏎ timeline');
  await quit(again);
  expect(JSON.parse(await readFile(join(home.path, 'state', 'parcel-monitor', 'view.json'), 'utf8')).newsSeq).toBe(5);
});
