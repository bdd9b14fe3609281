import type { HttpTrackingService } from '../../service/client/client.ts';
import { type WrapCall, wrapUnbudgetedCalls } from '../../service/client/wrap-calls.ts';
import type { Clock } from '../../service/clock/clock.ts';
import { RateLimitedError } from '../../service/failures/errors.ts';
import { StoreError } from '../../watchlist/errors.ts';
import {
  emptyPollingMemory,
  type PollingMemory,
  type PollingMemoryData,
} from '../../watchlist/state/polling-memory.ts';
import type { PollingPolicy } from '../schedule/policy.ts';
import { coolDownAfter } from './back-off.ts';
import { refuseWhileToldToWait } from './told-to-wait.ts';

/** What resting needs. */
export interface RestingOptions {
  readonly clock: Clock;
  readonly memory: PollingMemory;
  readonly policy: PollingPolicy;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * The same service, that sends nothing while it has asked for a pause: too many calls of one kind slow down all of them,
 * in all processes. Its calls then reject with a `RateLimitedError`, which tells how long the pause lasts. Registrations
 * and queries are left to the poller.
 */
export function restingService(
  service: HttpTrackingService,
  { clock, memory, policy, random }: RestingOptions,
): HttpTrackingService {
  const resting: WrapCall =
    (call) =>
    async (...given) => {
      await refuseInPause({ clock, memory, policy });
      try {
        return await call(...given);
      } catch (error) {
        throw error instanceof RateLimitedError ? await rememberPause(error) : error;
      }
    };
  /** Answers the error with the pause that is in force now. */
  const rememberPause = async (error: RateLimitedError): Promise<RateLimitedError> => {
    const { coolDown } = await recall(memory);
    const now = clock.now();
    const next = coolDownAfter(error, coolDown, now, random(), policy);
    await memory.update({ coolDown: next }).catch(unlessOfTheStore);
    const { code, httpStatus, message, traceId } = error;
    return new RateLimitedError(message, next.until - now, { code, httpStatus, traceId, cause: error });
  };
  return {
    ...wrapUnbudgetedCalls(service, resting),
    search: resting(service.search),
    instant: resting(service.instant),
  };
}

/** Rejects with a `ToldToWaitError` while the service has asked any process for a pause. */
export async function refuseInPause({
  clock,
  memory,
  policy,
}: Pick<RestingOptions, 'clock' | 'memory' | 'policy'>): Promise<void> {
  refuseWhileToldToWait({ clock, policy, remembered: await recall(memory) });
}

async function recall(memory: PollingMemory): Promise<PollingMemoryData> {
  return (await memory.load().catch(unlessOfTheStore)) ?? emptyPollingMemory;
}

/** The core tells what is wrong with the files, which it reads and writes too; no call fails because of them. */
function unlessOfTheStore(error: unknown): null {
  if (error instanceof StoreError) return null;
  throw error;
}
