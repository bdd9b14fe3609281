import { formatInTimeZone } from 'date-fns-tz';
import type { Monitor } from '../../polling/core/state.ts';
import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import { parseServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import { OperationMissingError, RequestRefusedError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import type { RetrackOutcome } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { inBatches } from '../../watchlist/store/in-batches.ts';
import { describeFailure } from '../session/failure.ts';
import { type Session, say } from '../session/session.ts';

/**
 * Has the service ask the couriers again and prints for each number whether it does, and when it last did. Numbers that
 * are not registered yet are left out: registering them makes the service ask. Where the service does not take the
 * operation, standard error says so; what it knows can be queried all the same. Rejects with a `ServiceError`.
 */
export async function retrackParcels(
  session: Session,
  service: Pick<AccountService, 'retrack'>,
  monitor: Pick<Monitor, 'getState'>,
  ids: readonly string[],
): Promise<ExitCode> {
  const { context, configuration } = session;
  const { parcels, serviceClock } = monitor.getState();
  const known = parcels.filter(
    ({ archivedAt, id, registration }) => ids.includes(id) && registration === 'registered' && archivedAt === null,
  );
  const zone = configuration.zone();
  let worst: ExitCode = exitCode.done;
  for (const batch of inBatches(known, configuration.operations.refreshBatch.batchLimit)) {
    try {
      for (const outcome of await service.retrack(batch.map(keyOf), context.signal)) {
        context.stdout.write(`${outcome.trackNo}  ${outcomeText(outcome, serviceClock, zone)}\n`);
        if (!outcome.accepted) worst = worseExit(worst, exitCode.rejected);
      }
    } catch (error) {
      if (!(error instanceof OperationMissingError || error instanceof RequestRefusedError)) throw error;
      const failure = describeFailure(error);
      const numbers = batch.map(({ trackNo }) => trackNo).join(', ');
      say(context, `The couriers were not asked again about ${numbers}. ${failure.message}`);
      worst = worseExit(worst, failure.exitCode);
    }
  }
  return worst;
}

const keyOf = ({ trackNo, courierCode }: Parcel) => ({ trackNo, courierCode });

function outcomeText(outcome: RetrackOutcome, serviceClock: ServiceClock, zone: string): string {
  const { accepted, actualRefreshTime, message } = outcome;
  const at = parseServiceTime(actualRefreshTime, serviceClock);
  // A time in another form is shown as it came.
  const time = at === null ? actualRefreshTime : formatInTimeZone(at, zone, 'yyyy-MM-dd HH:mm');
  const last = time === null ? '' : accepted ? ` (${time})` : `, last asked ${time}`;
  if (accepted) return `the courier is being asked again${last}`;
  const reason = message === null ? 'only once in six hours' : `the service says "${message}"`;
  return `the courier is not asked again: ${reason}${last}`;
}
