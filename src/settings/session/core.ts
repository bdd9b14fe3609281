import type { SkewBounds } from '../../lib/clock-skew.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { CallGate } from '../../polling/gate/call-gate.ts';
import type { GatedService } from '../../polling/gate/gated-service.ts';
import { createMonitor } from '../../polling/monitor.ts';
import type { Monitor } from '../../polling/state.ts';
import { lockHolder } from '../../store/file/lock.ts';
import type { WatchlistStore } from '../../store/store.ts';
import type { Configuration } from '../configuration.ts';
import { openGate } from './open-stores.ts';
import { type Session, type StorePurpose, type Stores, say } from './session.ts';

/** The user is told why from so many milliseconds on. */
const noticeAfterMs = 400;
/** How long the end may wait for what is not written yet, in milliseconds; less than another process's lock is waited for. */
const patienceMs = 10_000;
/** The same once the program was to stop. */
const stoppedPatienceMs = 500;

/**
 * Stops the monitor and waits until everything is written, for ten seconds at most, and hardly any longer once the
 * program is to stop. Rejects with a `StoreError` that names what was not written.
 * @param tell is told what is waited for
 */
async function stopMonitor(
  { configuration, context, paths }: Session,
  monitor: Monitor,
  tell: (sentence: string) => void,
): Promise<void> {
  const { clock, processes, signal } = context;
  const giveUp = new AbortController();
  let isOver = false;
  const timers = [clock.setTimer(noticeAfterMs, () => void notify()), clock.setTimer(patienceMs, () => giveUp.abort())];
  const notify = async (): Promise<void> => {
    if (monitor.unwritten() === null || signal.aborted) return;
    const holder = configuration.store.kind === 'file' ? await lockHolder(paths.watchlist, processes) : null;
    const reason = holder === null ? '' : `; ${holder} has locked it`;
    if (!isOver) tell(`Still writing the watchlist${reason}. Ctrl+C gives up.`);
  };
  const onAbort = (): void => void timers.push(clock.setTimer(stoppedPatienceMs, () => giveUp.abort()));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    await monitor.stop(giveUp.signal);
  } finally {
    isOver = true;
    signal.removeEventListener('abort', onAbort);
    for (const cancel of timers) cancel();
  }
}

/** What the user has to know of a monitor that is ended by force; null when everything is written. */
function unwrittenWords(monitor: Monitor): string | null {
  const entered = monitor.unwritten()?.entered ?? null;
  return entered === null ? null : `Ended before everything was saved. Not saved: ${entered}.`;
}

/** The core as a command uses it: `await using` closes it at the end of the block, without `tell`. */
export interface Core extends AsyncDisposable {
  readonly monitor: Monitor;
  readonly stores: Stores;
  readonly gate: CallGate;
  /** Applies changed settings that it owns: budget, least time between queries, archiving, extras, language. */
  take(configuration: Configuration): void;
  /**
   * Waits for writes up to a limit, reports them and the files, and closes the connection. Rejects with a
   * `StoreError` if a write failed, after the rest is done.
   * @param tell prints on standard error by default
   */
  close(tell?: (sentence: string) => void): Promise<void>;
}

/** The parcels that a command works on, as far as their numbers say. */
export interface NamedParcels {
  readonly numbers: readonly string[];
  /** Whether those are all that the command needs, which else needs all; they are where left out. */
  readonly isEnough?: (parcels: readonly Parcel[]) => boolean;
}

interface CoreOptions {
  /** A database is asked for no other parcels; null or left out: for all. */
  readonly named?: NamedParcels | null;
  readonly purpose?: StorePurpose;
}

/** The numbers whose parcels are all that is needed; null where others are. */
async function enoughNumbers(store: WatchlistStore, named: NamedParcels | null): Promise<readonly string[] | null> {
  if (named === null) return null;
  const { isEnough = () => true, numbers } = named;
  return isEnough((await store.read(numbers)).parcels) ? numbers : null;
}

/** Live look-ups come with translations where the user has named a language. */
function inLanguage({ instant }: GatedService, language: () => string | null): GatedService['instant'] {
  return (item, ...others) => {
    const lang = language();
    return instant({ ...item, ...(lang === null ? {} : { lang }) }, ...others);
  };
}

/** Bounds against a clock that is so far ahead of the one they were measured against. */
const shifted = (bounds: SkewBounds | null, aheadMs: number): SkewBounds | null =>
  bounds === null ? null : { least: bounds.least - aheadMs, most: bounds.most - aheadMs };

/**
 * Opens the user's watchlist, with the service or without (null); the core closes the service. Rejects with a
 * `StoreError`, else as `Session.stores`.
 */
export async function openCore(
  session: Session,
  service: GatedService | null,
  { named = null, purpose }: CoreOptions = {},
): Promise<Core> {
  const { context, configuration, live } = session;
  const stores = await session.stores(purpose);
  const { clock, presence, store } = stores;
  const gate = service?.gate ?? (await openGate(session, purpose));
  const numbers = await enoughNumbers(store, named).catch(async (error: unknown) => {
    await service?.close();
    throw error;
  });
  const monitor = createMonitor({
    store,
    numbers,
    service,
    clock,
    random: context.random,
    gate,
    configuredClock: configuration.serviceClock,
    skewBounds: () => shifted(service?.skewBounds?.() ?? null, clock.now() - context.clock.now()),
    isSandbox: () => service?.isSandbox?.() ?? false,
    presence,
    looksUpWhenSilent: () => live.configuration.looksUpWhenSilent,
    knownExtras: (courierCode) => live.configuration.courierExtras(courierCode),
    account: service,
    instant: service === null ? null : inLanguage(service, () => live.configuration.lang),
    archiveAfterDays: {
      get delivered() {
        return live.configuration.archiveAfterDays.delivered;
      },
      get closed() {
        return live.configuration.archiveAfterDays.closed;
      },
    },
  });
  const forgetForcedEnd = context.onForcedEnd(() => unwrittenWords(monitor));
  const close: Core['close'] = async (tell = (sentence) => say(context, sentence)) => {
    try {
      await stopMonitor(session, monitor, tell);
    } finally {
      forgetForcedEnd();
      for (const notice of monitor.getState().notices) tell(notice);
      await service?.close();
    }
  };
  const take = (changed: Configuration): void => {
    live.configuration = changed;
    gate.policy.leastMs = changed.leastMs;
  };
  const core = { monitor, stores, gate, take, close, [Symbol.asyncDispose]: () => close() };
  try {
    await monitor.load();
  } catch (error) {
    await close();
    throw error;
  }
  return core;
}
