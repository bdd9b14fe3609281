import { skewSentence } from '../lib/clock-skew.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { GatedService } from '../polling/gate/gated-service.ts';
import type { Monitor } from '../polling/monitor.ts';
import { describeFailure, withTraceId } from '../settings/errors.ts';
import type { Connection } from '../settings/session/service.ts';
import { printError, printNote, type Session } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

export interface EditPlaces {
  readonly monitor: Monitor;
  readonly connection: Connection;
  readonly parcel: () => Parcel;
}

/** Failures are only reported, because the parcel stays on the watchlist and its registration is retried later. */
export async function registerParcel(session: Session, { monitor, connection, parcel }: EditPlaces): Promise<ExitCode> {
  if (connection.service === null) {
    printError(session.context, connection.reason);
    return connection.exitCode;
  }
  try {
    const { failure } = await monitor.refresh([parcel().id]);
    if (failure !== null) throw failure;
    warnOfSkew(session, connection.service);
    return exitCode.done;
  } catch (error) {
    return reportFailure(session, error, isPending(parcel()));
  }
}

export const isPending = ({ archivedAt, registration }: Parcel): boolean =>
  registration === 'pending' && archivedAt === null;

/** Returns the exit code. */
export function reportFailure({ context }: Session, error: unknown, hasPending: boolean): ExitCode {
  const failure = describeFailure(error);
  const isSaved = failure.exitCode === exitCode.unreachable && hasPending;
  printError(
    context,
    isSaved
      ? `${failure.message} Your numbers are saved. Run "parcel-monitor refresh" to register them.`
      : failure.message,
  );
  return failure.exitCode;
}

/** Reports a rejected parcel with advice. Returns the exit code. */
export function reportRejected({ context }: Session, parcel: Parcel): ExitCode {
  if (parcel.registration !== 'rejected') return exitCode.done;
  printError(context, rejectionOf(parcel, parcel.trackNo));
  printNote(context, rejectedAdvice([parcel]));
  return exitCode.rejected;
}

export function rejectedAdvice(rejected: readonly Parcel[]): string {
  const findCode = 'To find a courier\'s code, run "parcel-monitor couriers NAME".';
  const withoutAdvice = rejected.find(({ error }) => !(error?.message.includes(' --courier ') ?? false));
  return withoutAdvice === undefined
    ? findCode
    : `To try a different courier, run "parcel-monitor edit ${withoutAdvice.trackNo} --courier CODE". ${findCode}`;
}

export function rejectionOf({ error, registration }: Parcel, name: string): string {
  const reason = error?.message ?? 'the service gave no reason';
  const what = registration === 'rejected' ? `${name} was rejected` : name;
  return withTraceId(`${what}: ${reason}`, error?.traceId ?? null);
}

/** Warns if the clocks differ by more than two minutes. */
export function warnOfSkew({ context }: Session, service: Pick<GatedService, 'clockSkew'>): void {
  const sentence = skewSentence(service.clockSkew());
  if (sentence !== null) printNote(context, sentence);
}
