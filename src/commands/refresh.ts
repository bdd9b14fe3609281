import { parcelStatusText } from '../board/view-stage.ts';
import { clockText } from '../board/zone-time.ts';
import { BudgetSpentError } from '../polling/budget.ts';
import type { Monitor, MonitorState, RefreshOutcome } from '../polling/state.ts';
import type { AccountService } from '../service/port.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { openCore } from './core.ts';
import { costText } from './cost.ts';
import { UsageError } from './errors.ts';
import { type ExitCode, exitCode, worseExit } from './exit-code.ts';
import { withTraceId } from './failure.ts';
import { notWatched, type ParcelName, parcelsNamed, readParcelName } from './find-parcel.ts';
import { warnOfSkew } from './register.ts';
import { openService } from './service.ts';
import { type Session, say } from './session.ts';

/** Options of `refresh`. */
export interface RefreshOptions {
  /** Let the service ask the couriers anew first. */
  readonly force?: boolean;
  /** Ask although the budget is used up. */
  readonly beyondBudget?: boolean;
}

/**
 * Asks the service now and prints a line a number: about the numbers given, or about all that are due or have no
 * record yet. With `--force` the service is told first to ask the couriers anew about the numbers given.
 */
export async function runRefresh(
  session: Session,
  numbers: readonly string[],
  options: RefreshOptions,
): Promise<ExitCode> {
  if (options.force === true && numbers.length === 0) {
    throw new UsageError(
      'Name the numbers about which the couriers are to be asked anew: each can be only once in six hours.',
    );
  }
  const service = await openService(session);
  const core = await openCore(session, service);
  try {
    const { monitor } = core;
    const wanted = numbers.map((number) => resolveNumber(number, monitor.getState().parcels));
    const complaints = wanted.flatMap((one) => (one.kind === 'complaint' ? [one.message] : []));
    for (const complaint of complaints) say(session.context, complaint);
    const ids = [...new Set(wanted.flatMap((one) => (one.kind === 'found' ? one.ids : [])))];
    if (numbers.length > 0 && ids.length === 0) return exitCode.rejected;
    const forced = options.force === true ? await force(session, service, monitor, ids) : exitCode.done;
    const cost = monitor.costOf(numbers.length === 0 ? 'due' : ids);
    if (cost.calls > 1) say(session.context, `This takes ${costText(cost)}.`);
    const asking = { beyondBudget: options.beyondBudget === true };
    const outcome = await (numbers.length === 0 ? monitor.refreshDue(asking) : monitor.refresh(ids, asking)).catch(
      (error: unknown) => {
        if (error instanceof BudgetSpentError) report(session, error.outcome, monitor.getState().parcels);
        throw error;
      },
    );
    report(session, outcome, monitor.getState().parcels);
    const unanswered = reportUnanswered(session, outcome, ids, monitor.getState());
    if (numbers.length === 0 && isNothing(outcome)) say(session.context, 'Nothing is due.');
    warnOfSkew(session, service);
    const isRejected = complaints.length > 0 || outcome.rejected.length > 0 || unanswered > 0;
    return worseExit(forced, isRejected ? exitCode.rejected : exitCode.done);
  } finally {
    await core.close();
  }
}

async function force(
  session: Session,
  service: AccountService,
  monitor: Monitor,
  ids: readonly string[],
): Promise<ExitCode> {
  const { retrackParcels } = await import('./retrack.ts');
  const { parcels, serviceClock } = monitor.getState();
  return await retrackParcels(
    session,
    service,
    parcels.filter(({ id }) => ids.includes(id)),
    serviceClock,
  );
}

type Resolved =
  | { readonly kind: 'found'; readonly ids: readonly string[] }
  | { readonly kind: 'complaint'; readonly message: string };

function resolveNumber(number: string, parcels: readonly Parcel[]): Resolved {
  const reading = readParcelName(number, null);
  if (!reading.ok) return { kind: 'complaint', message: reading.message };
  const name: ParcelName = reading.name;
  const ids = parcelsNamed(parcels, name).map((parcel) => parcel.id);
  return ids.length > 0 ? { kind: 'found', ids } : { kind: 'complaint', message: notWatched(name).message };
}

function report({ context }: Session, outcome: RefreshOutcome, parcels: readonly Parcel[]): void {
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  const changed = new Set(outcome.changed);
  for (const id of outcome.answered) {
    const parcel = byId.get(id);
    if (parcel === undefined) continue;
    const news = changed.has(id) ? 'changed' : 'no change';
    context.stdout.write(`${parcel.trackNo}  ${parcelStatusText(parcel)}  (${news})\n`);
  }
  for (const id of outcome.rejected) {
    const parcel = byId.get(id);
    if (parcel === undefined) continue;
    const words = parcel.error?.message ?? 'the service gave no reason';
    say(context, withTraceId(`${parcel.trackNo} was rejected: ${words}`, parcel.error?.traceId ?? null));
  }
}

const isNothing = ({ answered, rejected }: RefreshOutcome): boolean => answered.length === 0 && rejected.length === 0;

/** Tells of the numbers given about which the service had nothing to say, and when they are asked about again; answers how many. */
function reportUnanswered(
  { context, configuration }: Session,
  outcome: RefreshOutcome,
  ids: readonly string[],
  { parcels, polling }: Pick<MonitorState, 'parcels' | 'polling'>,
): number {
  const told = new Set([...outcome.answered, ...outcome.rejected]);
  const unanswered = parcels.filter(({ id }) => ids.includes(id) && !told.has(id));
  for (const { archivedAt, error, nextPollAt, trackNo } of unanswered) {
    const words =
      archivedAt === null
        ? (error?.message ?? 'the service says nothing about it')
        : 'it is archived; "parcel-monitor edit NUMBER --restore" watches it again';
    const again =
      nextPollAt === null
        ? ''
        : polling.paused
          ? ' It is not asked about by itself while asking is paused.'
          : ` It is asked about again at ${clockText(Date.parse(nextPollAt), context.clock.now(), configuration.zone())}.`;
    const sentence = `${trackNo}: ${words}`;
    say(context, withTraceId(`${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`}${again}`, error?.traceId ?? null));
  }
  return unanswered.length;
}
