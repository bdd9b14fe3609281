import { CancelledError, RateLimitedError } from '../../service/failures/errors.ts';
import type { HoldReason } from './rules.ts';

/** The call was not sent: the service has asked for a pause that is not over, be it another process. */
export class ServiceCoolDownError extends RateLimitedError {}

/** The call was not sent, for a reason that holds back polls alone. */
export class HeldBackError extends CancelledError {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

const sentences: Readonly<Record<HoldReason, string>> = {
  paused: 'Checks are paused.',
  'needs-user': 'The key or the credit of the account needs the user.',
  'cool-down': 'The service has asked for a pause.',
  'back-off': 'The last call failed a short time ago.',
  pace: 'The last round of calls has ended a moment ago.',
  lease: 'Another parcel-monitor checks the parcels now.',
};
