import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import type { HttpTrackingService } from '../../service/client/client.ts';
import { skewSentence } from '../../service/clock/clock-skew.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { type Core, openCore } from '../session/core.ts';
import { describeFailure, withTraceId } from '../session/failure.ts';
import { openServiceIfConfigured } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';

/** What came of registering. */
export interface RegisterReport {
  /** The parcels concerned, as they are now, in the order of the ids. */
  readonly parcels: readonly Parcel[];
  readonly exitCode: ExitCode;
}

/**
 * Registers those of the parcels that are not registered yet, when the service is configured. A failure is told on
 * standard error and loses nothing: the parcels stay on the watchlist and are tried again.
 */
export async function registerPending(session: Session, ids: readonly string[]): Promise<RegisterReport> {
  if (ids.length === 0) return { parcels: [], exitCode: exitCode.done };
  let core: Core | null = null;
  const now = (): readonly Parcel[] => {
    const byId = new Map(core?.monitor.getState().parcels.map((parcel) => [parcel.id, parcel]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };
  try {
    const connection = await connect(session);
    core = await openCore(session, connection.service);
    const pending = now().filter((parcel) => parcel.registration !== 'registered');
    if (pending.length === 0) return { parcels: now(), exitCode: exitCode.done };
    if (connection.service === null) {
      say(session.context, connection.reason);
      return { parcels: now(), exitCode: connection.exitCode };
    }
    await core.monitor.refresh(pending.map((parcel) => parcel.id));
    warnOfSkew(session, connection.service);
    return { parcels: now(), exitCode: exitCode.done };
  } catch (error) {
    const failure = describeFailure(error);
    const isSaved = failure.exitCode === exitCode.unreachable && now().some(isPending);
    say(session.context, isSaved ? `${failure.message} ${pendingIsSaved}` : failure.message);
    return { parcels: now(), exitCode: failure.exitCode };
  } finally {
    await core?.close();
  }
}

const isPending = ({ registration }: Parcel): boolean => registration === 'pending';
const pendingIsSaved = 'What is pending is saved: "parcel-monitor refresh" registers it.';

/** The service, or why there is none. */
export type Connection =
  | { readonly service: HttpTrackingService }
  | { readonly service: null; readonly reason: string; readonly exitCode: ExitCode };

/** Without a key the numbers are saved all the same; a key that is set but cannot be had is a failure. */
export async function connect(session: Session): Promise<Connection> {
  try {
    const service = await openServiceIfConfigured(session);
    return service === null ? { service, reason: notConfiguredText(session), exitCode: exitCode.done } : { service };
  } catch (error) {
    const failure = describeFailure(error);
    return { service: null, reason: failure.message, exitCode: failure.exitCode };
  }
}

function notConfiguredText({ configuration, paths }: Session): string {
  const missing =
    configuration.apiKey.kind === 'none' ? 'no API key (PARCEL_MONITOR_API_KEY)' : 'no base URL (--base-url)';
  return `Saved as pending: there is ${missing}; set it, or put it in ${paths.config}, and run "parcel-monitor refresh".`;
}

/** Tells on standard error which parcels the service rejected, in its own words; answers the exit code for it. */
export function reportRejected(session: Session, parcels: readonly Parcel[]): ExitCode {
  const rejected = parcels.filter((parcel) => parcel.registration === 'rejected');
  for (const { trackNo, error } of rejected) {
    const words = error?.message ?? 'the service gave no reason';
    say(session.context, withTraceId(`${trackNo} was rejected: ${words}`, error?.traceId ?? null));
  }
  const [first] = rejected;
  if (first === undefined) return exitCode.done;
  say(
    session.context,
    `To try another courier: "parcel-monitor edit ${first.trackNo} --courier CODE"; "parcel-monitor couriers" lists the codes.`,
  );
  return exitCode.rejected;
}

/** The exit code of a registration with all that belongs to it. */
export function registerExit(session: Session, report: RegisterReport): ExitCode {
  return worseExit(report.exitCode, reportRejected(session, report.parcels));
}

/** Tells on standard error when this machine's clock and the service's differ by more than two minutes. */
export function warnOfSkew({ context }: Session, service: HttpTrackingService): void {
  const sentence = skewSentence(service.clockSkew());
  if (sentence !== null) say(context, sentence);
}
