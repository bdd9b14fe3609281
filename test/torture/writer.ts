import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/lib/store-errors.ts';
import type { Parcel, Watchlist } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { createFileStore } from '../../src/store/file/file-store.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { systemClock } from '../../src/system/clock.ts';
import { counterId, moverId } from './cast.ts';

/**
 * A process that writes a watchlist until it has done its part or is killed. Prints a line when it is ready and one
 * after each change that is written. Arguments: what to do, the folder, and what the task takes.
 */

const [task = '', directory = '', ...rest] = process.argv.slice(2);
const store = createFileStore({
  directory,
  clock: systemClock,
  random: Math.random,
  processes: createProcesses(process),
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Adds numbers, one change each. */
async function add(prefix: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const draft = { trackNo: `${prefix}${index}`, courierCode: null, label: null, postalCode: null, phoneSuffix: null };
    const parcel = newParcel(draft, systemClock.now(), Math.random);
    await store.update((current) => ({ ...current, parcels: [...current.parcels, parcel] }));
  }
}

const withCounter = (current: Watchlist, count: number): Watchlist => ({
  ...current,
  parcels: current.parcels.map((parcel) =>
    parcel.id === counterId ? { ...parcel, label: `${count}`, checkpointCount: 1 } : parcel,
  ),
});

/** Counts in history and index, as answers of the service are recorded, and moves a parcel into the trash and back. */
async function count(): Promise<never> {
  const { parcels } = await store.read();
  let mover: Parcel | undefined = (await store.recovery.trashed()).find(({ parcel }) => parcel.id === moverId)?.parcel;
  mover = parcels.find(({ id }) => id === moverId) ?? mover;
  if (mover === undefined) throw new Error('The parcel that moves is lost.');
  const moving = mover;
  const first = Number(parcels.find(({ id }) => id === counterId)?.label) + 1;
  for (let number = first; ; number += 1) {
    const detail = `${number}`;
    const checkpoint = { at: null, local: null, offset: null, certain: false, address: null, detail, subStatus: null };
    await store.updateHistory(counterId, (history) => ({ ...history, checkpoints: [checkpoint] }));
    await store.update((current) => {
      const others = current.parcels.filter(({ id }) => id !== moverId);
      const isThere = others.length < current.parcels.length;
      return withCounter({ ...current, parcels: isThere ? others : [...others, moving] }, number);
    });
    // The first change loads what all need; the killing begins after it.
    say(number === first ? 'ready' : detail);
  }
}

/** Gives a file a second name; again when it was replaced in that moment, which systems call missing. */
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

/** An honest editor: reads the file, changes a label, writes it anew; it knows no lock. Tells whom it overwrote. */
async function edit(times: number): Promise<void> {
  const path = join(directory, 'watchlist.json');
  const read = (from = path): { parcels: { id: string; trackNo: string; label: string | null }[] } =>
    JSON.parse(readFileSync(from, 'utf8'));
  for (let number = 1; number <= times; number += 1) {
    await delay(Math.random() * 20);
    const document = read();
    // Nobody else edits this label, so it is as the last edit left it.
    const isIntact = document.parcels.find(({ id }) => id === counterId)?.label === `${number - 1}`;
    await delay(Math.random() * 5);
    const text = JSON.stringify(
      {
        ...document,
        parcels: document.parcels.map((parcel) =>
          parcel.id === counterId ? { ...parcel, label: `${number}` } : parcel,
        ),
      },
      null,
      2,
    );
    writeFileSync(`${path}.edited`, text);
    const known = new Set(document.parcels.map(({ id }) => id));
    // The file that is replaced is looked at afterwards, so that little comes between.
    keep(path, `${path}.replaced`);
    renameSync(`${path}.edited`, path);
    const overwritten = read(`${path}.replaced`).parcels.filter(({ id }) => !known.has(id));
    unlinkSync(`${path}.replaced`);
    say(JSON.stringify({ isIntact, overwritten: overwritten.map(({ trackNo }) => trackNo) }));
  }
}

if (task !== 'count') say('ready');
if (task === 'add') await add(rest[0] ?? '', Number(rest[1]));
else if (task === 'count') await count();
else if (task === 'edit') await edit(Number(rest[0]));
else throw new Error(`There is no task "${task}".`);
