import { type Clock, type Random, sleep } from '../../service/clock/clock.ts';
import type { Connection } from './connection.ts';
import type { LiveConnection } from './live-connection.ts';

/** What {@link keepConnected} works with. */
interface Keeping {
  readonly live: LiveConnection;
  /** Does something with the connection when everything before it is done. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Told null when there may be news. */
  readonly tellNews: (announced: null) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** Listens, looks whether the connection lives, and makes it again, until the signal is aborted. Never rejects. */
export async function keepConnected(
  { live, inTurn, tellNews, clock, random }: Keeping,
  signal: AbortSignal,
): Promise<void> {
  const { times } = live;
  let listening: Connection | null = null;
  /** Nobody waits any longer when nothing is to be kept, or the connection breaks. */
  let ended = signal;
  let failures = 0;
  let untilBeatMs = times.heartbeatMs;
  while (!signal.aborted) {
    if (live.current === null || listening !== live.current) {
      try {
        await inTurn(() => live.listen());
        if (signal.aborted) return;
        listening = live.current;
        ended = AbortSignal.any([signal, live.broken]);
        failures = 0;
        untilBeatMs = times.heartbeatMs;
        tellNews(null);
      } catch {
        // It is known as `lastFailure`, and told to whoever asks something of the database.
        const most = Math.min(times.longestBackOffMs, times.shortestBackOffMs * 2 ** failures);
        failures += 1;
        if (!(await sleep(clock, most * (0.5 + random() / 2), signal))) return;
        continue;
      }
    }
    const waitMs = Math.min(times.newsMs, untilBeatMs);
    await sleep(clock, waitMs, ended);
    if (signal.aborted) return;
    untilBeatMs -= waitMs;
    if (!live.isHeard && live.current !== null) tellNews(null);
    if (untilBeatMs > 0) continue;
    untilBeatMs = times.heartbeatMs;
    const wasReadOnly = live.readOnly !== null;
    await inTurn(() => live.look());
    // A replica that has been promoted announces what happens.
    if (wasReadOnly && live.readOnly === null) listening = null;
  }
}
