import type { Monitor } from '../../polling/core/state.ts';
import { lockHolder } from '../../watchlist/lock/lock-holder.ts';
import type { Session } from './session.ts';

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
export async function stopMonitor(
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
    const reason = holder === null ? '' : `; ${holder} holds it`;
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
export function unwrittenWords(monitor: Monitor): string | null {
  const entered = monitor.unwritten()?.entered ?? null;
  return entered === null ? null : `Ended before everything was written. Not written: ${entered}.`;
}
