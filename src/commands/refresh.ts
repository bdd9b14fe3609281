import { formatInTimeZone } from 'date-fns-tz';
import { clockText } from '../board/time.ts';
import type { EpochMs } from '../lib/clock.ts';
import { isSameNumber } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { isBeingIndexed, parcelStatusText } from '../parcels/parcel-state.ts';
import type { Monitor } from '../polling/monitor.ts';
import type { MonitorState, RefreshOutcome } from '../polling/state.ts';
import {
  type AccountService,
  OperationMissingError,
  RequestRefusedError,
  type RetrackOutcome,
} from '../service/port.ts';
import { parseServiceTime, type ServiceClock } from '../service/service-clock.ts';
import { describeFailure, MissingArgumentError, withTraceId } from '../settings/errors.ts';
import { openCore } from '../settings/session/core.ts';
import { printError, printNote } from '../settings/session/output.ts';
import { openService } from '../settings/session/service.ts';
import { type Session, zoneOf } from '../settings/session/session.ts';
import { splitIntoBatches } from '../store/store.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';
import { costText, rejectionText, warnOfSkew } from './register.ts';
import { type JsonOption, Results } from './results.ts';
import {
  assertNotBlank,
  chooseParcels,
  type FilterOptions,
  findParcels,
  parseParcelNames,
  requireTargets,
} from './select-parcels.ts';

interface RefreshOptions extends FilterOptions, JsonOption {
  readonly force?: boolean;
  readonly beyondBudget?: boolean;
}

export async function runRefresh(
  session: Session,
  options: RefreshOptions,
  numbers: readonly string[],
): Promise<ExitCode> {
  const { filter } = options;
  const results = new Results(session, options);
  const checksDue = numbers.length === 0 && filter === undefined;
  requireTargets(numbers, options, false);
  if (options.force === true && checksDue) {
    throw new MissingArgumentError(
      'Which numbers? --force asks their couriers for an update, at most once every six hours.',
    );
  }
  assertNotBlank(numbers);
  const service = await openService(session);
  await using core = await openCore(session, service, {
    named: numbers.length === 0 ? null : parseParcelNames(numbers, null),
  });
  const { monitor } = core;
  const chosen = await chooseParcels(session, core, results, {
    numbers,
    options,
    action: 'Check',
    find: (parcels, number) => findParcels(parcels, number, null),
  });
  const ids = chosen?.parcels.map(({ id }) => id) ?? [];
  if (chosen === null || (!checksDue && ids.length === 0)) {
    results.end(core);
    return chosen === null ? exitCode.done : exitCode.rejected;
  }
  const retrackCode =
    options.force === true ? await retrackParcels(session, service, monitor, ids, results) : exitCode.done;
  const cost = monitor.costOf(checksDue ? 'due' : ids);
  if (cost.calls > 1) printNote(session.context, `This takes ${costText(cost)}.`);
  const budgetOptions = { beyondBudget: options.beyondBudget === true };
  const outcome = await (checksDue ? monitor.refreshDue(budgetOptions) : monitor.refresh(ids, budgetOptions));
  reportAnswered(results, outcome, monitor.getState().parcels);
  if (outcome.failure !== null) {
    const settled = new Set([...outcome.answered, ...outcome.rejected]);
    const { message } = describeFailure(outcome.failure);
    for (const parcel of chosen.parcels) if (!settled.has(parcel.id)) results.record(parcel, 'failed', message);
    results.end(core);
    throw outcome.failure;
  }
  const waiting = monitor.getState().parcels.filter((parcel) => parcel.archivedAt === null && isBeingIndexed(parcel));
  const checkedIds = checksDue ? waiting.map(({ id }) => id) : ids;
  const unanswered = reportUnanswered(session, results, outcome, checkedIds, {
    ...monitor.getState(),
    now: core.stores.clock.now(),
  });
  results.end(core);
  const { answered, rejected } = outcome;
  const isIdle = checksDue && answered.length + rejected.length + waiting.length === 0;
  if (isIdle) printNote(session.context, 'Nothing is due.');
  warnOfSkew(session, service);
  const isRejected = !chosen.areAllFound || rejected.length > 0 || unanswered > 0;
  return worseExit(retrackCode, isRejected ? exitCode.rejected : exitCode.done);
}

function reportAnswered(results: Results, outcome: RefreshOutcome, parcels: readonly Parcel[]): void {
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  const changed = new Set(outcome.changed);
  for (const id of outcome.answered) {
    const parcel = byId.get(id);
    if (parcel === undefined) continue;
    const isChanged = changed.has(id);
    const line = `${parcelStatusText(parcel)}  (${isChanged ? 'changed' : 'no change'})`;
    results.add(parcel, isChanged ? 'changed' : 'unchanged', line, displayName(parcel, parcels));
  }
  for (const id of outcome.rejected) {
    const parcel = byId.get(id);
    if (parcel === undefined) continue;
    results.reportError(parcel, 'rejected', rejectionText(parcel, displayName(parcel, parcels)));
  }
}

/** Returns how many numbers the service does not know, not counting those that it accepted but has not indexed yet. */
function reportUnanswered(
  session: Session,
  results: Results,
  outcome: RefreshOutcome,
  ids: readonly string[],
  { now, parcels, polling }: Pick<MonitorState, 'parcels' | 'polling'> & { readonly now: EpochMs },
): number {
  const reported = new Set([...outcome.answered, ...outcome.rejected]);
  const unanswered = parcels.filter(({ id }) => ids.includes(id) && !reported.has(id));
  for (const parcel of unanswered) {
    const { error, nextPollAt } = parcel;
    const nextCheck =
      nextPollAt === null
        ? ''
        : polling.paused
          ? ' Automatic checks are paused.'
          : ` Next check: ${clockText(Date.parse(nextPollAt), now, zoneOf(session))}. Run "parcel-monitor refresh" then, or keep a board or "parcel-monitor watch" running.`;
    const sentence = `${displayName(parcel, parcels)}: ${stateText(parcel)}`;
    const message = withTraceId(
      `${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`}${nextCheck}`,
      error?.traceId ?? null,
    );
    results.reportError(parcel, 'no-record', message);
  }
  return unanswered.filter((parcel) => parcel.archivedAt !== null || !isBeingIndexed(parcel)).length;
}

function stateText(parcel: Parcel): string {
  if (parcel.archivedAt !== null) return 'archived. To restore it, run "parcel-monitor edit NUMBER --restore"';
  if (isBeingIndexed(parcel)) return 'registered, waiting for the first result';
  return parcel.error?.message ?? 'the service has no information';
}

function displayName({ id, trackNo, courierCode }: Parcel, parcels: readonly Parcel[]): string {
  const isAmbiguous = parcels.some((other) => other.id !== id && isSameNumber(other.trackNo, trackNo));
  return isAmbiguous ? `${trackNo}@${courierCode ?? ''}` : trackNo;
}

/**
 * Skips unregistered numbers, because a registration also asks the courier. If the service does not offer the operation
 * or refuses the request, this is reported, because records can still be queried. Throws other `ServiceError`s.
 */
async function retrackParcels(
  session: Session,
  service: Pick<AccountService, 'retrack'>,
  monitor: Pick<Monitor, 'getState'>,
  ids: readonly string[],
  results: Results,
): Promise<ExitCode> {
  const { context, configuration } = session;
  const { parcels, serviceClock } = monitor.getState();
  const known = parcels.filter(
    ({ archivedAt, id, registration }) => ids.includes(id) && registration === 'registered' && archivedAt === null,
  );
  const zone = configuration.zone();
  let worst: ExitCode = exitCode.done;
  for (const batch of splitIntoBatches(known, configuration.operations.refreshBatch.batchLimit)) {
    try {
      for (const outcome of await service.retrack(batch, context.signal)) {
        if (!results.isJson) context.stdout.write(`${outcome.trackNo}  ${outcomeText(outcome, serviceClock, zone)}\n`);
        if (!outcome.accepted) worst = worseExit(worst, exitCode.rejected);
      }
    } catch (error) {
      if (!(error instanceof OperationMissingError || error instanceof RequestRefusedError)) throw error;
      const failure = describeFailure(error);
      const numbers = batch.map(({ trackNo }) => trackNo).join(', ');
      printError(context, `Could not ask the couriers for an update on ${numbers}. ${failure.message}`);
      worst = worseExit(worst, failure.exitCode);
    }
  }
  return worst;
}

function outcomeText(outcome: RetrackOutcome, serviceClock: ServiceClock, zone: string): string {
  const { accepted, actualRefreshTime, message } = outcome;
  const at = parseServiceTime(actualRefreshTime, serviceClock);
  const time = at === null ? actualRefreshTime : formatInTimeZone(at, zone, 'yyyy-MM-dd HH:mm');
  const last = time === null ? '' : accepted ? ` (${time})` : `, last asked at ${time}`;
  if (accepted) return `asked the courier for an update${last}`;
  const reason = message === null ? 'only possible once every six hours' : `the service says "${message}"`;
  return `could not ask the courier for an update: ${reason}${last}`;
}
