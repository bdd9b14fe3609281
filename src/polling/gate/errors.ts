import { CancelledError, RateLimitedError } from '../../service/failures/errors.ts';
import type { HoldReason } from './rules.ts';

/** The call was not sent: the service has asked for a pause that is not over, be it another process. */
export class ServiceCoolDownError extends RateLimitedError {}

/** The call was not sent, for a reason that holds back polls alone; no user sees it. */
export class HeldBackError extends CancelledError {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(`The poll is held back: ${reason}.`);
    this.reason = reason;
  }
}
