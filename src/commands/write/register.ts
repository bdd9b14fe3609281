import type { Monitor } from '../../polling/core/state.ts';
import type { GatedService } from '../../polling/gate/gated-service.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { describeFailure, withTraceId } from '../session/failure.ts';
import type { Connection } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';

/** What parcels are registered with. */
export interface Registering {
  /** Loaded, over the connection's service. */
  readonly monitor: Monitor;
  readonly connection: Connection;
}

/**
 * Registers a parcel, when the service is configured. A failure is reported on standard error and loses nothing: the parcel
 * stays on the watchlist and is tried again.
 */
export async function registerParcel(
  session: Session,
  { monitor, connection }: Registering,
  { id }: Parcel,
): Promise<ExitCode> {
  if (connection.service === null) {
    say(session.context, connection.reason);
    return connection.exitCode;
  }
  try {
    await monitor.refresh([id]);
    warnOfSkew(session, connection.service);
    return exitCode.done;
  } catch (error) {
    const failure = describeFailure(error);
    const isPending = monitor.getState().parcels.some((one) => one.id === id && one.registration === 'pending');
    const isSaved = failure.exitCode === exitCode.unreachable && isPending;
    say(session.context, isSaved ? `${failure.message} ${pendingIsSaved}` : failure.message);
    return failure.exitCode;
  }
}

/** What becomes of numbers that could not be registered. */
export const pendingIsSaved = 'What is pending is saved: "parcel-monitor refresh" registers it.';

/** Reports on standard error that the service rejected a parcel, in its own words; answers the exit code for it. */
export function reportRejected({ context }: Session, parcel: Parcel): ExitCode {
  if (parcel.registration !== 'rejected') return exitCode.done;
  say(context, rejectionOf(parcel, parcel.trackNo));
  say(context, rejectedAdvice([parcel]));
  return exitCode.rejected;
}

/** What to do about parcels that the service rejected. */
export const rejectedAdvice = ([first]: readonly Parcel[]): string =>
  `To try another courier: "parcel-monitor edit ${first?.trackNo ?? 'NUMBER'} --courier CODE"; "parcel-monitor couriers" lists the codes.`;

/** Why the service rejected a parcel, in its own words. */
export function rejectionOf({ error }: Parcel, name: string): string {
  const words = error?.message ?? 'the service gave no reason';
  return withTraceId(`${name} was rejected: ${words}`, error?.traceId ?? null);
}

/** Reports on standard error when this machine's clock and the service's differ by more than two minutes. */
export function warnOfSkew({ context }: Session, service: Pick<GatedService, 'clockSkew'>): void {
  const sentence = skewSentence(service.clockSkew());
  if (sentence !== null) say(context, sentence);
}
