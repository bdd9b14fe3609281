import type { SkewBounds } from '../../lib/clock-skew.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { GatedService } from '../../polling/account.ts';
import type { CallGate } from '../../polling/gate/call-gate.ts';
import { createMonitor, type Monitor } from '../../polling/monitor.ts';
import { lockHolder } from '../../store/file/lock.ts';
import { openGate } from './open-stores.ts';
import { printNote } from './output.ts';
import type { Session, StorePurpose, Stores } from './session.ts';

/** Delay before the program says why it is waiting, in milliseconds. */
const noticeAfterMs = 400;
/** Maximum wait for unfinished writes, in milliseconds. Shorter than the wait for a lock. */
const stopTimeoutMs = 10_000;
/** The same, after a stop signal. */
const abortTimeoutMs = 500;

/**
 * Stops the monitor and waits until everything is written: at most ten seconds, or half a second after a stop signal.
 * Rejects with a `StoreError` that names what was not written.
 * @param report called with a sentence about what the program is waiting for
 */
async function stopMonitor(
  { configuration, context, paths }: Session,
  monitor: Monitor,
  report: (sentence: string) => void,
): Promise<void> {
  const { clock, processes, signal } = context;
  const giveUp = new AbortController();
  let hasStopped = false;
  const timers = [
    clock.setTimer(noticeAfterMs, () => void notify()),
    clock.setTimer(stopTimeoutMs, () => giveUp.abort()),
  ];
  const notify = async (): Promise<void> => {
    if (monitor.unwritten() === null || signal.aborted) return;
    const holder = configuration.store.kind === 'file' ? await lockHolder(paths.watchlist, processes) : null;
    const reason = holder === null ? '' : `; ${holder} has locked it`;
    if (!hasStopped) report(`Still writing the watchlist${reason}. Ctrl+C gives up.`);
  };
  const onAbort = (): void => void timers.push(clock.setTimer(abortTimeoutMs, () => giveUp.abort()));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    await monitor.stop(giveUp.signal);
  } finally {
    hasStopped = true;
    signal.removeEventListener('abort', onAbort);
    for (const cancel of timers) cancel();
  }
}

/** The core for commands. `await using` closes it at the end of the block, without `report`. */
export interface Core extends AsyncDisposable {
  readonly monitor: Monitor;
  readonly stores: Stores;
  readonly gate: CallGate;
  /**
   * Waits for writes up to a limit, reports them and the files, and closes the connection. Rejects with a `StoreError`
   * if a write failed, after the rest is done.
   * @param report prints on standard error by default
   */
  close(report?: (sentence: string) => void): Promise<void>;
}

/** The parcels that a command works on, if it names their numbers. */
export interface NamedParcels {
  readonly numbers: readonly string[];
  /** Whether these parcels are enough. If not, the command needs all parcels. Absent if they always are. */
  readonly isEnough?: (parcels: readonly Parcel[]) => boolean;
}

interface CoreOptions {
  /** The parcels to load. Null or absent loads all, as a file store always does. */
  readonly named?: NamedParcels | null;
  readonly purpose?: StorePurpose;
}

/** Converts bounds to a clock that is `aheadMs` ahead of the one that they were measured against. */
const shiftBounds = (bounds: SkewBounds | null, aheadMs: number): SkewBounds | null =>
  bounds === null ? null : { min: bounds.min - aheadMs, max: bounds.max - aheadMs };

/**
 * Opens the user's watchlist, with the service if it is not null. Closing the core also closes the service. Rejects
 * with a `StoreError`, or like `Session.stores`.
 */
export async function openCore(
  session: Session,
  service: GatedService | null,
  { named = null, purpose }: CoreOptions = {},
): Promise<Core> {
  const { context } = session;
  const stores = await session.stores(purpose);
  const { clock, presence, store } = stores;
  const gate = service?.gate ?? (await openGate(session, purpose));
  let numbers = named?.numbers ?? null;
  if (named?.isEnough !== undefined) {
    const { parcels } = await store.read(named.numbers).catch(async (error: unknown) => {
      await service?.close();
      throw error;
    });
    if (!named.isEnough(parcels)) numbers = null;
  }
  const monitor = createMonitor({
    store,
    numbers,
    service,
    clock,
    random: context.random,
    gate,
    configuredClock: session.configuration.serviceClock,
    skewBounds: () => shiftBounds(service?.skewBounds?.() ?? null, clock.now() - context.clock.now()),
    isSandbox: () => service?.isSandbox?.() ?? false,
    presence,
    looksUpWhenSilent: () => session.configuration.looksUpWhenSilent,
    knownExtras: (courierCode) => session.configuration.courierExtras(courierCode),
    account: service,
    instant:
      service === null
        ? null
        : (item, ...rest) => {
            const { lang } = session.configuration;
            return service.instant({ ...item, ...(lang === null ? {} : { lang }) }, ...rest);
          },
    archiveAfterDays: {
      get delivered() {
        return session.configuration.archiveAfterDays.delivered;
      },
      get closed() {
        return session.configuration.archiveAfterDays.closed;
      },
    },
  });
  const cancelForcedEnd = context.onForcedEnd(() => {
    const entered = monitor.unwritten()?.entered ?? null;
    return entered === null ? null : `Ended before everything was saved. Not saved: ${entered}.`;
  });
  const close: Core['close'] = async (report = (sentence) => printNote(context, sentence)) => {
    try {
      await stopMonitor(session, monitor, report);
    } finally {
      cancelForcedEnd();
      for (const notice of monitor.getState().notices) report(notice);
      await service?.close();
    }
  };
  const core = { monitor, stores, gate, close, [Symbol.asyncDispose]: () => close() };
  try {
    await monitor.load();
  } catch (error) {
    await close();
    throw error;
  }
  return core;
}
