import { skewSentence } from '../lib/clock-skew.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { GatedService } from '../polling/gate/gated-service.ts';
import type { Monitor } from '../polling/monitor.ts';
import { describeFailure, withTraceId } from '../settings/errors.ts';
import type { Connection } from '../settings/session/service.ts';
import { complain, type Session, say } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

export interface EditPlaces {
  readonly monitor: Monitor;
  readonly connection: Connection;
  readonly parcel: () => Parcel;
}

/** Registers a parcel. Reports a failure, which loses nothing: the parcel stays on the watchlist and is tried again. */
export async function registerParcel(session: Session, { monitor, connection, parcel }: EditPlaces): Promise<ExitCode> {
  if (connection.service === null) {
    complain(session.context, connection.reason);
    return connection.exitCode;
  }
  try {
    const { failure } = await monitor.refresh([parcel().id]);
    if (failure !== null) return sayFailure(session, failure, isPending(parcel()));
    warnOfSkew(session, connection.service);
    return exitCode.done;
  } catch (error) {
    return sayFailure(session, error, isPending(parcel()));
  }
}

export const isPending = ({ archivedAt, registration }: Parcel): boolean =>
  registration === 'pending' && archivedAt === null;

/** Returns the exit code. */
export function sayFailure({ context }: Session, error: unknown, hasPending: boolean): ExitCode {
  const failure = describeFailure(error);
  const isSaved = failure.exitCode === exitCode.unreachable && hasPending;
  complain(
    context,
    isSaved
      ? `${failure.message} Pending numbers are saved. Run "parcel-monitor refresh" to register them.`
      : failure.message,
  );
  return failure.exitCode;
}

/** Returns the exit code. */
export function reportRejected({ context }: Session, parcel: Parcel): ExitCode {
  if (parcel.registration !== 'rejected') return exitCode.done;
  complain(context, rejectionOf(parcel, parcel.trackNo));
  say(context, rejectedAdvice([parcel]));
  return exitCode.rejected;
}

export function rejectedAdvice(rejected: readonly Parcel[]): string {
  const codes = '"parcel-monitor couriers NAME" finds the code of a courier.';
  const other = rejected.find(({ error }) => !(error?.message.includes(' --courier ') ?? false));
  return other === undefined
    ? codes
    : `To try another courier, run "parcel-monitor edit ${other.trackNo} --courier CODE". ${codes}`;
}

export function rejectionOf({ error, registration }: Parcel, name: string): string {
  const words = error?.message ?? 'the service gave no reason';
  const what = registration === 'rejected' ? `${name} was rejected` : name;
  return withTraceId(`${what}: ${words}`, error?.traceId ?? null);
}

/** Warns if the clocks differ by more than two minutes. */
export function warnOfSkew({ context }: Session, service: Pick<GatedService, 'clockSkew'>): void {
  const sentence = skewSentence(service.clockSkew());
  if (sentence !== null) say(context, sentence);
}
