import { RateLimitedError } from '../../service/failures/errors.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import { activeCoolDown } from './back-off.ts';

/** The call was not sent, because the service has asked for a pause before. */
export class ToldToWaitError extends RateLimitedError {}

type Remembering = Pick<MonitorCore, 'clock' | 'policy' | 'remembered'>;

/** For how long the service has asked for a pause, in milliseconds; null when it has not. */
export function toldToWait({ clock, policy, remembered }: Remembering): number | null {
  const now = clock.now();
  const coolDown = activeCoolDown(remembered.coolDown, now, policy);
  return coolDown?.byService === true ? coolDown.until - now : null;
}

/** The user may ask during our own back-off; while the service has asked for a pause, this throws a {@link ToldToWaitError}. */
export function refuseWhileToldToWait(core: Remembering): void {
  const wait = toldToWait(core);
  if (wait === null) return;
  throw new ToldToWaitError(
    `The service asked for a pause. Ask again in ${Math.ceil(wait / 1000)} s; due parcels are asked about by themselves then.`,
    wait,
  );
}
