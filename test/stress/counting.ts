import { BusyCounter } from '../../src/lib/async.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Change } from '../../src/parcels/change.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import type { ListChange } from '../../src/parcels/parcel-list.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/timings.ts';
import { WatchlistLog } from '../../src/polling/watchlist-log.ts';
import { retryUntilWritten as until } from '../support/postgres/open-store.ts';
import { type ProblemCounts, sum, totalProblems } from './measure.ts';
import type { OpenWatchlist } from './place.ts';

/** The parcel whose label and history contain the count. */
const counterOf = (name: string): string => `counter-${name}`;
/** The parcel that is moved to the trash with every odd count, and restored with every even one. */
const moverOf = (name: string): string => `mover-${name}`;

/** Counts in a parcel's label and history, and moves a second parcel to the trash and back. */
export interface Counter {
  /** The current count. */
  readonly count: number;
  /** Counts up by one. Resolves once the count is written. */
  increment(): Promise<void>;
  close(): void;
}

/** Starts a counter, which continues its last count. `name` distinguishes counters that run at the same time. */
export async function startCounter({ recovery, store }: OpenWatchlist, name: string, clock: Clock): Promise<Counter> {
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
  /** The log keeps a change whose write failed, and writes it with a later retry. */
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
  const movedParcel = log.find(mover) ?? trashed.find(({ parcel }) => parcel.id === mover)?.parcel;
  if (movedParcel === undefined) throw new Error('The moved parcel is lost.');
  let count = Number(log.find(counter)?.label);
  return {
    get count() {
      return count;
    },
    async increment() {
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
      // Set the result instead of changing it, so that it does not matter whether an earlier attempt was written.
      const isThere = number % 2 === 0;
      await commit((current) => {
        const has = current.some(({ id }) => id === mover);
        const counted = current.map((parcel) =>
          parcel.id === counter && parcel.label !== detail ? { ...parcel, label: detail, checkpointCount: 1 } : parcel,
        );
        if (has === isThere) return counted;
        return isThere ? [...counted, movedParcel] : counted.filter(({ id }) => id !== mover);
      });
      count = number;
    },
    close: () => log.close(),
  };
}

/** Compares a watchlist that has no active writers with the acknowledged changes. */
export interface Audit {
  /** Reads the new lines of the change log. Must be called before the log drops any. */
  follow(): Promise<void>;
  /** @param acknowledged the confirmed count of each counter */
  check(acknowledged: ReadonlyMap<string, number>): Promise<ProblemCounts>;
}

/** Starts an audit at the beginning of a watchlist. */
export function startAudit(place: OpenWatchlist): Audit {
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
      const expectedLines = new Map<string, number>();
      const found: ProblemCounts[] = [];
      for (const [name, known] of acknowledged) {
        const counters = parcels.filter(({ id }) => id === counterOf(name));
        const movers = parcels.filter(({ id }) => id === moverOf(name)).length;
        const inTrash = trashed.filter(({ parcel }) => parcel.id === moverOf(name)).length;
        const count = Number(counters[0]?.label);
        const historyCount = Number(
          (await until(() => store.readHistory(counterOf(name)))).checkpoints[0]?.detail ?? 0,
        );
        const history = await until(() => store.readHistory(moverOf(name)));
        found.push({
          lost:
            Number(counters.length === 0) +
            Number(movers + inTrash === 0) +
            Number(movers === 1 && history.received === null) +
            Math.max(0, known - count),
          doubled: Number(counters.length > 1) + Number(movers + inTrash > 1),
          // One more count may have been written without being acknowledged. Its history is written first.
          damaged:
            Number(count > known + 1) +
            Number(historyCount !== count && historyCount !== count + 1) +
            Number((movers === 1) !== (count % 2 === 0)),
        });
        expectedLines.set(`added ${counterOf(name)}`, 1);
        expectedLines.set(`added ${moverOf(name)}`, 1 + Math.floor(count / 2));
        expectedLines.set(`removed ${moverOf(name)}`, Math.ceil(count / 2));
      }
      return totalProblems([...found, logProblems(lines, expectedLines), await reportedProblems(place)]);
    },
  };
}

/** Counts the problems that the store reports, and damaged files next to it. */
export async function reportedProblems({ findDamage, store }: OpenWatchlist): Promise<ProblemCounts> {
  return { lost: 0, doubled: 0, damaged: store.takeNotices().length + (await findDamage()).length };
}

/** @param expectedLines how often each line (change and number, such as `added RB1CN`) must exist */
export function logProblems(changes: readonly Change[], expectedLines: ReadonlyMap<string, number>): ProblemCounts {
  const times = new Map<string, number>();
  for (const { change, trackNo } of changes) {
    const line = `${change} ${trackNo}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return {
    lost: sum([...expectedLines].map(([line, count]) => Math.max(0, count - (times.get(line) ?? 0)))),
    doubled: sum([...times].map(([line, count]) => Math.max(0, count - (expectedLines.get(line) ?? 0)))),
    damaged: changes.filter(({ seq }, index) => seq !== index + 1).length,
  };
}
