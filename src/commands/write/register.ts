import type { Monitor } from '../../polling/core/state.ts';
import type { GatedService } from '../../polling/gate/gated-service.ts';
import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { describeFailure, withTraceId } from '../session/failure.ts';
import type { Connection } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';

/** What came of registering. */
export interface RegisterReport {
  /** The parcels concerned, as they are now, in the order of the ids. */
  readonly parcels: readonly Parcel[];
  readonly exitCode: ExitCode;
}

/** What parcels are registered with. */
export interface Registering {
  /** Loaded, over the connection's service. */
  readonly monitor: Monitor;
  readonly connection: Connection;
}

/**
 * Registers those of the parcels that are not registered yet, when the service is configured. A failure is reported on
 * standard error and loses nothing: the parcels stay on the watchlist and are tried again.
 */
export async function registerPending(
  session: Session,
  { monitor, connection }: Registering,
  ids: readonly string[],
): Promise<RegisterReport> {
  const now = (): readonly Parcel[] => {
    const byId = new Map(monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
  const pending = now().filter((parcel) => parcel.registration !== 'registered');
  if (pending.length === 0) return { parcels: now(), exitCode: exitCode.done };
  if (connection.service === null) {
    say(session.context, connection.reason);
    return { parcels: now(), exitCode: connection.exitCode };
  }
  try {
    await monitor.refresh(pending.map((parcel) => parcel.id));
    warnOfSkew(session, connection.service);
    return { parcels: now(), exitCode: exitCode.done };
  } catch (error) {
    const failure = describeFailure(error);
    const isSaved = failure.exitCode === exitCode.unreachable && now().some(isPending);
    say(session.context, isSaved ? `${failure.message} ${pendingIsSaved}` : failure.message);
    return { parcels: now(), exitCode: failure.exitCode };
  }
}

const isPending = ({ registration }: Parcel): boolean => registration === 'pending';
/** What becomes of numbers that could not be registered. */
export const pendingIsSaved = 'What is pending is saved: "parcel-monitor refresh" registers it.';

/** Reports on standard error which parcels the service rejected, in its own words; answers the exit code for it. */
export function reportRejected(session: Session, parcels: readonly Parcel[]): ExitCode {
  const rejected = parcels.filter((parcel) => parcel.registration === 'rejected');
  for (const parcel of rejected) say(session.context, rejectionOf(parcel, parcel.trackNo));
  if (rejected.length === 0) return exitCode.done;
  say(session.context, rejectedAdvice(rejected));
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

/** The exit code of a registration with all that belongs to it. */
export function registerExit(session: Session, report: RegisterReport): ExitCode {
  return worseExit(report.exitCode, reportRejected(session, report.parcels));
}

/** Reports on standard error when this machine's clock and the service's differ by more than two minutes. */
export function warnOfSkew({ context }: Session, service: Pick<GatedService, 'clockSkew'>): void {
  const sentence = skewSentence(service.clockSkew());
  if (sentence !== null) say(context, sentence);
}
