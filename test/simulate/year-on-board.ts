import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/lib/clock.ts';
import { Zone } from '../../src/lib/zone.ts';
import type { ParcelHistory } from '../../src/parcels/parcel.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { createMonitor } from '../../src/polling/monitor.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import type { TrackingService } from '../../src/service/port.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { firstView } from '../../src/store/saved-view.ts';
import type { WatchlistStore } from '../../src/store/store.ts';
import { historyFormat } from '../../src/store/watchlist-format.ts';
import { type BoardOptions, runBoard } from '../../src/tui/run-board.ts';
import { recordOf } from '../support/records.ts';
import { terminalOf } from '../support/terminal-of.ts';
import { createVirtualClock } from './virtual-clock.ts';

/**
 * A board that is open for a simulated year: refreshed again and again, with texts that never repeat, resized, looked
 * through, filtered, with notices and news. The real core, client and board against a service that always has news.
 * Prints its heap, in bytes, after the first hour and at the end. `year.ts` bundles and starts it.
 */

const refreshes = Number(process.argv[2] ?? 1_000);
const parcels = 40;
const minuteMs = 60_000;
/** Long enough for a refresh and what is drawn behind it. */
const awakeMs = 3_000;
const yearMs = 365 * 24 * 60 * minuteMs;
/** The board learns and keeps in its first hour what it draws with; this many refreshes show all of it. */
const firstHour = Math.min(1_000, Math.ceil(refreshes / 5));
/** Events of a parcel, more than most have: one whose texts never repeat would have more with each refresh. */
const longestHistory = 12;
const start = Date.UTC(2026, 10, 19, 9, 0, 0);

const collect: unknown = Reflect.get(globalThis, 'gc');
if (typeof collect !== 'function') throw new Error('Run this with --expose-gc.');
const heapBytes = async (): Promise<number> => {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await turn();
  }
  return process.memoryUsage().heapUsed;
};

const virtual = createVirtualClock(start);
let slept = 0;
/** Between two refreshes it leaps, as a machine does that sleeps: to draw each minute of a year would take an hour. */
const clock: Clock = { ...virtual, now: () => virtual.now() + slept };
const random = seededRandom(1, 'year');
let told = 0;
const service: TrackingService = {
  batchLimits: { register: 100, query: 100 },
  couriers: async () => [],
  register: async (items) => ({
    accepted: items.map(({ trackNo, courierCode }) => ({ trackNo, courierCode })),
    known: [],
    rejected: [],
    traceId: null,
  }),
  query: async (keys) => ({
    records: keys.map(({ trackNo, courierCode }) => {
      told += 1;
      const at = new Date(clock.now()).toISOString();
      const event = { at, local: null, offset: 'Z', certain: true, subStatus: null };
      // Wide, narrow and combined signs, no two texts alike.
      const detail = `Told as ${told}: 到达 ${told.toString(36)} e\u0301 🚚`;
      return recordOf({
        ...{
          trackNo,
          courierCode,
          nextUpdateTime: null,
          transitStatus: told % 2 === 0 ? 'IN_TRANSIT' : 'WAITING_DELIVERY',
        },
        ...{ lastTrackingTime: at, checkpoints: [{ ...event, address: `Place ${told % 5_000}`, detail }] },
      });
    }),
    unregistered: [],
    rejected: [],
    traceId: null,
  }),
};
// What lies in files otherwise must not count as memory of the board: few lines of the change log, no history on the heap.
const memory = createMemoryStore(undefined, 200);
const histories = new Map<string, Buffer>();
const readHistory: WatchlistStore['readHistory'] = async (id) => {
  const kept = histories.get(id);
  return kept === undefined ? historyFormat.empty : (JSON.parse(kept.toString()) as ParcelHistory);
};
const store: WatchlistStore = {
  ...memory,
  readHistory,
  async updateHistory(id, change) {
    const changed = change(await readHistory(id));
    const history = { ...changed, checkpoints: changed.checkpoints.slice(0, longestHistory) };
    histories.set(id, Buffer.from(JSON.stringify(history)));
    return history;
  },
};
const monitor = createMonitor({
  store,
  service,
  clock,
  random,
  gate: new CallGate({ clock, random }),
});

const output = Object.assign(new EventEmitter(), {
  ...{ isTTY: true, columns: 160, rows: 50, writable: true },
  write(_chunk: unknown, ...rest: unknown[]): boolean {
    const callback = rest.at(-1);
    if (typeof callback === 'function') queueMicrotask(() => callback());
    return true;
  },
});
const input = Object.assign(new EventEmitter(), {
  ...{ isTTY: true, setEncoding: () => undefined, setRawMode: () => undefined },
  ...{ ref: () => undefined, unref: () => undefined, resume: () => undefined, pause: () => undefined },
});
const ended = new AbortController();
const refuse = (): Promise<never> => Promise.reject(new Error('there is no account'));
const options: BoardOptions = {
  ...{ monitor, clock, zone: new Zone('Europe/Berlin'), glyphs: 'symbols', colour: true },
  ...{ badge: null, setup: { kind: 'ready' }, setupEffects: null, view: firstView, keepView: () => undefined },
  couriers: { list: async () => ({ couriers: [], fetchedAt: start, stale: false, problem: null }) },
  account: {
    ...{ retrack: refuse, deleteTogether: refuse, changeCourier: refuse, setExtras: refuse },
  },
  ...{ hasDefaultExtra: () => false, hyperlinks: false, openPage: async () => null },
  clipboards: { copyToDesktop: async () => false, clipboardSequence: () => '' },
  ...{ suspension: null, hasTitle: true, title: true, notificationSwitch: null, writeLater: () => undefined },
  ...{
    leaveInterrupts: () => () => undefined,
    onWindowChange: () => () => undefined,
    clockSkew: () => null,
    facts: [],
  },
  terminal: terminalOf({ stdin: input, stdout: output } as unknown as Parameters<typeof terminalOf>[0]),
  stdin: input as unknown as BoardOptions['stdin'],
  stdout: output as unknown as NodeJS.WriteStream,
  signal: ended.signal,
};
const settle = async (): Promise<void> => {
  for (let calm = 0; calm < 4; calm += 1) await turn();
};
await monitor.load();
for (let index = 0; index < parcels; index += 1) {
  const trackNo = `SIM${String(index).padStart(9, '0')}`;
  await monitor.add({ trackNo, courierCode: 'dhl', label: `Parcel ${index}`, postalCode: null, phoneSuffix: null });
}
const exit = runBoard(options);
await settle();
const ids = monitor.getState().parcels.map(({ id }) => id);
const type = async (keys: string): Promise<void> => {
  input.emit('data', keys);
  await settle();
};
const live = async (from: number, to: number, stepMs: number): Promise<void> => {
  for (let number = from; number < to; number += 1) {
    const asked = monitor.refresh(ids);
    await virtual.run(virtual.now() + awakeMs, settle);
    await asked;
    slept += stepMs - awakeMs;
    await type('jjk\t'[number % 4] ?? 'j');
    if (number % 10 === 0) {
      Object.assign(output, { columns: 60 + (number % 140), rows: 14 + (number % 50) });
      output.emit('resize');
    }
    if (number % 25 === 0) {
      await type('/');
      await type(`parcel ${number % 40}\r`);
      await type('\u001b');
    }
    if (number % 50 === 0) {
      monitor.notify(`Notice ${number}`);
      await settle();
      monitor.dismissNotice();
      await monitor.edit(ids[number % parcels] ?? '', { label: `Parcel ${number}` });
      await monitor.markRead(ids);
    }
  }
};
await live(0, firstHour, minuteMs);
const before = await heapBytes();
await live(firstHour, refreshes, Math.floor(yearMs / refreshes));
const after = await heapBytes();
ended.abort();
await exit;
await monitor.stop();
process.stdout.write(`${JSON.stringify({ refreshes, told, before, after })}\n`);
