import { ServiceError } from '../../service/failures/errors.ts';
import { courierDirectory } from './courier-directory.ts';
import type { Session } from './session.ts';

/** What the call brought. */
export interface ProvingAnswer {
  /** Why the service did not answer as it should; null when it did. */
  readonly failure: ServiceError | null;
  readonly couriers: number;
  readonly tookMs: number;
  /** How far the service's clock is ahead, in milliseconds; null where it did not say. */
  readonly clockSkew: number | null;
}

/**
 * The one cheap call that shows whether service and key work together: it lists the couriers, which costs nothing and renews
 * the kept list. Ends the service, with the signal at the latest. Rejects as `Session.service`, which must have one, and as `Session.stores`.
 */
export async function provingCall(session: Session, signal: AbortSignal): Promise<ProvingAnswer> {
  const { clock } = session.context;
  const service = await session.service();
  // Base URL and key have been looked at before.
  if (service === null) throw new TypeError('The service has no address or no key.');
  const end = (): void => void service.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const begunAt = clock.now();
  const answerOf = (failure: ServiceError | null, couriers: number): ProvingAnswer => ({
    failure,
    couriers,
    tookMs: Math.max(0, Math.round(clock.now() - begunAt)),
    clockSkew: service.clockSkew(),
  });
  try {
    const { couriers: shared } = await session.stores();
    const { couriers, failure = null } = await courierDirectory(session, service, shared).list({ refresh: true });
    return answerOf(failure, couriers.length);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return answerOf(error, 0);
  } finally {
    signal.removeEventListener('abort', end);
    await service.close();
  }
}
