import { ToldToWaitError } from '../../polling/gate/told-to-wait.ts';
import type { HttpTrackingService } from '../../service/client/client.ts';
import { type WrapCall, wrapUnbudgetedCalls } from '../../service/client/wrap-calls.ts';
import { type Clock, sleep } from '../../service/clock/clock.ts';
import { RateLimitedError } from '../../service/failures/errors.ts';

/** What waiting needs. */
export interface PoliteOptions {
  readonly clock: Clock;
  /** Aborted, it ends the wait, and nothing is tried again. */
  readonly signal: AbortSignal;
  /** Told before a wait that a person would wonder about; in milliseconds. */
  readonly onLongWait: (waitMs: number) => void;
}

/** Limits are per second, and other processes use the same account: a call from elsewhere is forgotten by then. */
const usualWaitMs = 1_100;
const longWaitMs = 3_000;
/** Who has to wait longer than this may as well come back. */
const longestWaitMs = 60_000;

/**
 * The same service, that tries a call once more when there were too many in that second, after as long as the service
 * asks for. Registrations and queries are left to the poller, which owns their retries (design.md, decision 7).
 */
export function politeService(service: HttpTrackingService, options: PoliteOptions): HttpTrackingService {
  const patient: WrapCall =
    (call) =>
    async (...given) => {
      try {
        return await call(...given);
      } catch (error) {
        // Who asks in a pause that is known is told so at once.
        if (!(error instanceof RateLimitedError) || error instanceof ToldToWaitError) throw error;
        await waitFor(error, options);
        return await call(...given);
      }
    };
  return {
    ...wrapUnbudgetedCalls(service, patient),
    search: patient(service.search),
    instant: patient(service.instant),
  };
}

/** Throws the error again when waiting would take too long or is interrupted. */
async function waitFor(error: RateLimitedError, { clock, signal, onLongWait }: PoliteOptions): Promise<void> {
  const waitMs = Math.max(usualWaitMs, error.retryAfterMs ?? 0);
  if (waitMs > longestWaitMs) throw error;
  if (waitMs >= longWaitMs) onLongWait(waitMs);
  const until = clock.now() + waitMs;
  await sleep(clock, waitMs, signal);
  const left = until - clock.now();
  // Timers may come early, and a pause is over at its end only.
  if (left > 0 && left < usualWaitMs) await sleep(clock, left, signal);
  if (signal.aborted) throw error;
}
