import { BusyCounter } from '../../src/lib/async.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Change } from '../../src/parcels/change.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import type { ListChange } from '../../src/parcels/parcel-list.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/policy.ts';
import { WatchlistLog } from '../../src/polling/watchlist-log.ts';
import { retryUntilWritten as until } from '../support/postgres/open-store.ts';
import { allOf, type Found, sumOf } from './measure.ts';
import type { OpenPlace } from './place.ts';

/** The parcel whose label and history count. */
const counterOf = (name: string): string => `counter-${name}`;
/** The parcel that is moved to the trash with every odd count, and restored with every even one. */
const moverOf = (name: string): string => `mover-${name}`;

/** Counts in its own parcel and its history, and moves another one to the trash and back. */
export interface Counting {
  /** The current count. */
  readonly count: number;
  /** Counts once. Resolves when the count is written. */
  next(): Promise<void>;
  close(): void;
}

/** Continues the count of a watchlist. `name` distinguishes simultaneous counters. */
export async function startCounting({ recovery, store }: OpenPlace, name: string, clock: Clock): Promise<Counting> {
  const [counter, mover] = [counterOf(name), moverOf(name)];
  const log = new WatchlistLog({
    store,
    clock,
    policy: defaultPollingPolicy,
    busy: new BusyCounter(),
    onParcels: () => {},
    onChangeSeq: () => {},
    onProblem: () => {},
  });
  /** A failed count is kept, and written by one of the next tries. */
  const commit = async (change: ListChange): Promise<void> => {
    await log.commit(change).catch(() => until(() => log.flush()));
  };
  await until(() => log.reload());
  const fresh = (id: string): Parcel => {
    const draft = { trackNo: id, courierCode: null, label: '0', postalCode: null, phoneSuffix: null };
    return { ...newParcel(draft, clock.now(), Math.random), id };
  };
  if (log.find(counter) === null) {
    await commit((current) => [...current, fresh(counter), fresh(mover)]);
    await until(() => store.updateHistory(mover, (history) => ({ ...history, received: { trackNo: mover } })));
  }
  const trashed = await until(() => recovery.trashed());
  const moving = log.find(mover) ?? trashed.find(({ parcel }) => parcel.id === mover)?.parcel;
  if (moving === undefined) throw new Error('The parcel that moves is lost.');
  let count = Number(log.find(counter)?.label);
  return {
    get count() {
      return count;
    },
    async next() {
      const number = count + 1;
      const detail = `${number}`;
      const checkpoint = {
        at: null,
        local: null,
        offset: null,
        certain: false,
        address: null,
        detail,
        subStatus: null,
      };
      await until(() => store.updateHistory(counter, (history) => ({ ...history, checkpoints: [checkpoint] })));
      // Describes the result, not the action, so that it does not matter whether the last try was written.
      const isThere = number % 2 === 0;
      await commit((current) => {
        const has = current.some(({ id }) => id === mover);
        const counted = current.map((parcel) =>
          parcel.id === counter && parcel.label !== detail ? { ...parcel, label: detail, checkpointCount: 1 } : parcel,
        );
        if (has === isThere) return counted;
        return isThere ? [...counted, moving] : counted.filter(({ id }) => id !== mover);
      });
      count = number;
    },
    close: () => log.close(),
  };
}

/** Compares a watchlist without active writers with the acknowledged changes. */
export interface Audit {
  /** Reads the new lines of the log, often enough that the log does not drop any. */
  follow(): Promise<void>;
  /** @param acknowledged the confirmed count of each counter */
  check(acknowledged: ReadonlyMap<string, number>): Promise<Found>;
}

/** Starts an audit at the beginning of a watchlist. */
export function startAudit(place: OpenPlace): Audit {
  const { recovery, store } = place;
  const lines: Change[] = [];
  const follow = async (): Promise<void> => {
    lines.push(...(await until(() => store.changeLogAfter(lines.length))));
  };
  return {
    follow,
    async check(acknowledged) {
      await place.settled();
      await follow();
      const { parcels } = await until(() => store.read());
      const trashed = await until(() => recovery.trashed());
      const wanted = new Map<string, number>();
      const found: Found[] = [];
      for (const [name, known] of acknowledged) {
        const counters = parcels.filter(({ id }) => id === counterOf(name));
        const movers = parcels.filter(({ id }) => id === moverOf(name)).length;
        const inTrash = trashed.filter(({ parcel }) => parcel.id === moverOf(name)).length;
        const count = Number(counters[0]?.label);
        const told = Number((await until(() => store.readHistory(counterOf(name)))).checkpoints[0]?.detail ?? 0);
        const history = await until(() => store.readHistory(moverOf(name)));
        found.push({
          lost:
            Number(counters.length === 0) +
            Number(movers + inTrash === 0) +
            Number(movers === 1 && history.received === null) +
            Math.max(0, known - count),
          doubled: Number(counters.length > 1) + Number(movers + inTrash > 1),
          // One more may have been written without a response. Its history is written first.
          damaged:
            Number(count > known + 1) +
            Number(told !== count && told !== count + 1) +
            Number((movers === 1) !== (count % 2 === 0)),
        });
        wanted.set(`added ${counterOf(name)}`, 1);
        wanted.set(`added ${moverOf(name)}`, 1 + Math.floor(count / 2));
        wanted.set(`removed ${moverOf(name)}`, Math.ceil(count / 2));
      }
      return allOf([...found, foundInLog(lines, wanted), await foundBeside(place)]);
    },
  };
}

/** Problems that a store has reported itself, and files next to it. */
export async function foundBeside({ damages, store }: OpenPlace): Promise<Found> {
  return { lost: 0, doubled: 0, damaged: store.takeNotices().length + (await damages()).length };
}

/** @param wanted how often each line must exist, with its text and number, such as `added RB1CN` */
export function foundInLog(changes: readonly Change[], wanted: ReadonlyMap<string, number>): Found {
  const times = new Map<string, number>();
  for (const { change, trackNo } of changes) {
    const line = `${change} ${trackNo}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return {
    lost: sumOf([...wanted].map(([line, count]) => Math.max(0, count - (times.get(line) ?? 0)))),
    doubled: sumOf([...times].map(([line, count]) => Math.max(0, count - (wanted.get(line) ?? 0)))),
    damaged: changes.filter(({ seq }, index) => seq !== index + 1).length,
  };
}
