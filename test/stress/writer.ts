import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/lib/store-errors.ts';
import { systemClock } from '../../src/system/clock.ts';
import { startCounting } from './counting.ts';
import { addParcels, openPlace } from './place.ts';

/**
 * A process that writes a watchlist until it has finished or is killed. Prints a line when it is ready and one after
 * each written change. Arguments: what to do, where, and the arguments of the task.
 */

const [task = '', at = '', ...rest] = process.argv.slice(2);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Adds numbers, one change each. */
async function add(prefix: string, count: number): Promise<void> {
  const { close, store } = await openPlace(at);
  say('ready');
  for (let index = 0; index < count; index += 1) await addParcels(store, [`${prefix}${index}`], systemClock.now());
  await close();
}

/** First prints the current count. */
async function count(name: string, wrongByMs: number): Promise<never> {
  const clock = { ...systemClock, now: () => systemClock.now() + wrongByMs };
  const counting = await startCounting(await openPlace(at, { clock }), name, clock);
  for (;;) {
    say(`${counting.count}`);
    await counting.next();
  }
}

/**
 * Creates a second name for a file. Repeats if the file was replaced in that moment, which systems report as missing.
 */
function keep(path: string, name: string): void {
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
 * An editor without a lock, until SIGTERM: reads the file, changes a parcel's label, writes the file again, and
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
  say('ready');
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
    // The replaced file is read afterwards, to keep the gap short.
    keep(path, `${path}.replaced`);
    renameSync(`${path}.edited`, path);
    const overwritten = read(`${path}.replaced`).parcels.filter(({ trackNo }) => !known.has(trackNo));
    unlinkSync(`${path}.replaced`);
    say(JSON.stringify({ isIntact, overwritten: overwritten.map(({ trackNo }) => trackNo) }));
  }
}

if (task === 'add') await add(rest[0] ?? '', Number(rest[1]));
else if (task === 'count') await count(rest[0] ?? '', Number(rest[1]));
else if (task === 'edit') await edit(rest[0] ?? '');
else throw new Error(`There is no task "${task}".`);
