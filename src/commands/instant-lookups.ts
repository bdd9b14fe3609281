import { createFindKnown } from '../board/scan/judge-rows.ts';
import { identityKey } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { NewParcel } from '../parcels/parcel-factory.ts';
import { hasNoRecord } from '../parcels/parcel-stage.ts';
import { parcelStatusText } from '../parcels/status-text.ts';
import type { AppliedAdditions } from '../polling/apply-additions.ts';
import type { CallCost } from '../polling/gate/call-rules.ts';
import type { Monitor } from '../polling/state.ts';
import { CancelledError, ServiceError } from '../service/errors.ts';
import { serviceExitCodes } from '../settings/failure.ts';
import type { Progress } from '../settings/session/progress.ts';
import { type Session, say } from '../settings/session/session.ts';
import { type ExitCode, exitCode, worseExit } from '../system/exit.ts';
import { type LookUpCost, mostPriceWords } from './cost.ts';
import { sayFailure } from './register.ts';

/** What live look-ups of the numbers that may have no record then cost; null where there are none. */
export async function costOfLookUps(
  session: Session,
  { calls, registrations }: CallCost,
  wanted: readonly NewParcel[],
  watched: readonly Parcel[],
): Promise<LookUpCost | null> {
  const find = createFindKnown(watched);
  const without = wanted.filter((parcel) => {
    const known = find(parcel);
    return parcel.archivedAt === undefined && (known === null || hasNoRecord(known));
  });
  const count = new Set(without.map(identityKey)).size;
  if (count === 0) return null;
  const all = { calls: calls + count, registrations: registrations + count, numbers: count };
  return { count, price: await mostPriceWords(session, all) };
}

/**
 * Looks the numbers up at their couriers that were added and have no record, and prints a line each. None where adding them
 * failed: their checks may still bring what costs nothing. Answers the exit code.
 */
export async function lookUpAdded(
  session: Session,
  monitor: Monitor,
  { failure, results }: Pick<AppliedAdditions, 'failure' | 'results'>,
  progress: Progress,
): Promise<ExitCode> {
  const { context } = session;
  const ids = new Set(results.map(({ parcel }) => parcel.id));
  const find = (id: string): Parcel | undefined => monitor.getState().parcels.find((parcel) => parcel.id === id);
  const empty = [...ids].flatMap((id) => find(id) ?? []).filter(isToLookUp);
  if (empty.length === 0 || failure instanceof CancelledError) return exitCode.done;
  if (failure !== null) {
    const names = empty.length === 1 ? (empty[0]?.trackNo ?? '') : `${empty.length} numbers`;
    say(context, `${names} not looked up live, because the first check failed. Run "add --instant" again.`);
    return failure instanceof ServiceError ? serviceExitCodes[failure.kind] : exitCode.done;
  }
  let ended: ExitCode = exitCode.done;
  for (const [index, { id, trackNo }] of empty.entries()) {
    progress.show({ done: index, total: empty.length, deed: 'looked up' });
    try {
      const answer = await monitor.lookUp(id, { signal: context.signal });
      const parcel = find(id);
      if (answer?.kind === 'rejected') {
        say(context, `${trackNo}: the live look-up was refused: ${answer.rejection.message}`);
        ended = worseExit(ended, exitCode.rejected);
      } else if (parcel !== undefined) {
        context.stdout.write(`${trackNo}  ${parcelStatusText(parcel)}  (looked up live)\n`);
      }
    } catch (error) {
      progress.clear();
      const left = empty.length - index;
      say(context, `${left === 1 ? `${trackNo} was` : `${left} numbers were`} not looked up live.`);
      return worseExit(ended, sayFailure(session, error, false));
    }
  }
  progress.clear();
  return ended;
}

const isToLookUp = (parcel: Parcel): boolean =>
  parcel.registration === 'registered' && parcel.archivedAt === null && hasNoRecord(parcel);
