import type { RefreshOutcome } from '../../polling/core/state.ts';
import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import { isBeingIndexed } from '../../watchlist/model/indexing.ts';
import { namedParcels, parcelsMeant, parcelsNamedByAll, refuseBlank } from '../input/find-parcel.ts';
import { openCore } from '../session/core.ts';
import { UsageError } from '../session/errors.ts';
import { openService } from '../session/service.ts';
import { type Session, say } from '../session/session.ts';
import { costText } from './cost.ts';
import { reportAnswers, reportUnanswered } from './refresh-report.ts';
import { warnOfSkew } from './register.ts';

/** So many parcels that are due are held at a time, where a store can say which those are. */
const heldParcels = 10_000;

/** Options of `refresh`. */
interface RefreshOptions {
  /** Have the service ask the couriers again first. */
  readonly force?: boolean;
  /** Even when the budget is used up. */
  readonly beyondBudget?: boolean;
}

/**
 * Checks numbers now and prints a line for each: the numbers given, or all that are due or have no
 * record yet. With `--force` the service is first to ask the couriers again about the numbers given.
 */
export async function runRefresh(
  session: Session,
  options: RefreshOptions,
  numbers: readonly string[],
): Promise<ExitCode> {
  if (options.force === true && numbers.length === 0) {
    throw new UsageError('Name the numbers whose couriers are to be asked again: each only once in six hours.');
  }
  refuseBlank(numbers);
  const service = await openService(session);
  await using core = await openCore(session, service, {
    ...(numbers.length === 0 ? { soonest: heldParcels } : { named: namedParcels(numbers, null) }),
  });
  const { monitor } = core;
  const { parcels } = monitor.getState();
  const named = parcelsNamedByAll(session, numbers, (number) => parcelsMeant(parcels, number, null));
  const ids = named.parcels.map(({ id }) => id);
  if (numbers.length > 0 && ids.length === 0) return exitCode.rejected;
  const forced =
    options.force === true
      ? await (await import('./retrack.ts')).retrackParcels(session, service, monitor, ids)
      : exitCode.done;
  const cost = monitor.costOf(numbers.length === 0 ? 'due' : ids);
  if (cost.calls > 1) say(session.context, `This takes ${costText(cost)}.`);
  const budgeted = { beyondBudget: options.beyondBudget === true };
  const outcome = await (numbers.length === 0 ? monitor.refreshDue(budgeted) : monitor.refresh(ids, budgeted));
  reportAnswers(session, outcome, monitor.getState().parcels);
  if (outcome.failure !== null) throw outcome.failure;
  const waiting = monitor.getState().parcels.filter((one) => one.archivedAt === null && isBeingIndexed(one));
  const concerned = numbers.length === 0 ? waiting.map(({ id }) => id) : ids;
  const unanswered = reportUnanswered(session, outcome, concerned, {
    ...monitor.getState(),
    now: core.stores.clock.now(),
  });
  const isIdle = numbers.length === 0 && isNothing(outcome) && waiting.length === 0;
  if (isIdle) say(session.context, 'Nothing is due.');
  warnOfSkew(session, service);
  const isRejected = !named.areAllFound || outcome.rejected.length > 0 || unanswered > 0;
  return worseExit(forced, isRejected ? exitCode.rejected : exitCode.done);
}

const isNothing = ({ answered, rejected }: RefreshOutcome): boolean => answered.length === 0 && rejected.length === 0;
