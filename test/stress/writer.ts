import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/lib/store-errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { startCounter } from './counting.ts';
import { addParcels, openWatchlist } from './place.ts';

/**
 * A process that writes to a watchlist until it has finished or is killed. Prints a line when it is ready, and one
 * after each change that was written. Arguments: the task, the watchlist, and the arguments of the task.
 */

const [task = '', at = '', ...rest] = process.argv.slice(2);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Adds numbers, one per change. */
async function add(prefix: string, count: number): Promise<void> {
  const { close, store } = await openWatchlist(at);
  print('ready');
  for (let index = 0; index < count; index += 1) await addParcels(store, [`${prefix}${index}`], systemClock.now());
  await close();
}

/** Counts up forever. The first line is the current count. */
async function count(name: string, clockErrorMs: number): Promise<never> {
  const clock = { ...systemClock, now: () => systemClock.now() + clockErrorMs };
  const counter = await startCounter(await openWatchlist(at, { clock }), name, clock);
  for (;;) {
    print(`${counter.count}`);
    await counter.increment();
  }
}

/**
 * Links a file to a second name. Retries if the file was replaced at that moment, which systems report as missing.
 */
function linkFile(path: string, name: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      linkSync(path, name);
      return;
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || tries === 100) throw error;
    }
  }
}

/**
 * Until SIGTERM, acts as an editor that takes no lock: reads the file, changes a parcel's label, writes the file, and
 * prints what it overwrote.
 */
async function edit(editedNo: string): Promise<void> {
  let isOver = false;
  process.once('SIGTERM', () => {
    isOver = true;
  });
  const path = join(at, 'watchlist.json');
  const read = (from = path): { parcels: { trackNo: string; label: string | null }[] } =>
    JSON.parse(readFileSync(from, 'utf8'));
  print('ready');
  for (let number = 1; !isOver; number += 1) {
    await delay(Math.random() * 20);
    const document = read();
    const edited = document.parcels.find(({ trackNo }) => trackNo === editedNo);
    // Only this process edits the label, so it has the value of the last edit.
    const isIntact = edited !== undefined && (number === 1 || edited.label === `${number - 1}`);
    await delay(Math.random() * 5);
    if (edited !== undefined) edited.label = `${number}`;
    writeFileSync(`${path}.edited`, JSON.stringify(document, null, 2));
    const known = new Set(document.parcels.map(({ trackNo }) => trackNo));
    // Read the replaced file afterwards, to keep the gap short.
    linkFile(path, `${path}.replaced`);
    renameSync(`${path}.edited`, path);
    const overwritten = read(`${path}.replaced`).parcels.filter(({ trackNo }) => !known.has(trackNo));
    unlinkSync(`${path}.replaced`);
    print(JSON.stringify({ isIntact, overwritten: overwritten.map(({ trackNo }) => trackNo) }));
  }
}

if (task === 'add') await add(rest[0] ?? '', Number(rest[1]));
else if (task === 'count') await count(rest[0] ?? '', Number(rest[1]));
else if (task === 'edit') await edit(rest[0] ?? '');
else throw new Error(`Unknown task "${task}".`);
