import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fastClockEnvironment } from '../clock/clock-shift.ts';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { openAccount } from './account.ts';
import { createHome, type Home } from './home.ts';
import { ownProgram } from './program.ts';

const cli = await ownProgram();
const bell = '\u0007';

/** Configures a notification command that appends each change to a file. Returns a function that reads them. */
async function recordChanges(home: Home): Promise<() => Promise<readonly { seq: number; message: string }[]>> {
  const file = join(home.notes, 'changes');
  const script = "require('node:fs').appendFileSync(process.argv[1], require('node:fs').readFileSync(0))";
  await mkdir(dirname(home.config), { recursive: true });
  await writeFile(
    home.config,
    JSON.stringify({ notify: { channels: ['bell', 'command'], command: [process.execPath, '-e', script, file] } }),
    { mode: 0o600 },
  );
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
}

/** Changes a parcel's status, like a user who edits the watchlist. */
async function setStatus({ watchlist: path }: Home, label: string, transitStatus: string): Promise<void> {
  const watchlist = JSON.parse(await readFile(path, 'utf8'));
  const { record } = watchlist.parcels.find((parcel: { readonly label: string }) => parcel.label === label);
  if (record.transitStatus === transitStatus) return;
  Object.assign(record, { transitStatus, transitSubStatus: null });
  await writeFile(`${path}.edited`, JSON.stringify(watchlist));
  await rename(`${path}.edited`, path);
}

test('two boards and a watch notify the user of each change only once, on one of their terminals', async () => {
  const server = await startScriptedServer(
    json({ code: '00000', msg: 'success', data: { accepted: { content: [] } } }),
  );
  onTestFinished(() => server.close());
  const home = await createHome();
  const account = await openAccount(home, cli);
  const changes = await recordChanges(home);
  const environment = fastClockEnvironment(4);
  const first = account.openBoard(server.baseUrl.href, environment);
  await first.waitForText('⏎ timeline');
  const second = account.openBoard(server.baseUrl.href, environment);
  // The first board shows its screen before it has the lease: on a busy machine, the second may be the one that polls.
  await Promise.any([first, second].map((board) => board.waitForText('updated by another window')));
  const third = account.openBoard(server.baseUrl.href, environment, ['watch', '--notify']);
  await third.waitForText('Another parcel-monitor is checking the parcels.');
  const boards = [first, second, third];
  const marks = boards.map((board) => board.written());
  for (const [index, label] of ['Kettle', 'Desk lamp', 'Kettle'].entries()) {
    const countNotified = async (): Promise<number> => {
      // Repeated, because a board that writes at the same moment may miss the edit.
      await setStatus(home, label, index === 2 ? 'ABNORMAL' : 'DELIVERED');
      return (await changes()).length;
    };
    await expect.poll(countNotified, { timeout: 60_000 }).toBeGreaterThan(index);
  }
  const seqs = (await changes()).map(({ seq }) => seq);
  expect(seqs).toHaveLength(3);
  expect(new Set(seqs).size).toBe(3);
  const bells = boards.map((board, index) => board.outputSince(marks[index] ?? 0).split(bell).length - 1);
  expect(bells.reduce((sum, count) => sum + count, 0)).toBe(3);

  await first.type('N').waitForText('silenced');
  await second.waitForText('silenced');
  for (const board of [first, second]) board.type('q');
  for (const board of [first, second]) expect((await board.exit).code).toBe(0);
});
