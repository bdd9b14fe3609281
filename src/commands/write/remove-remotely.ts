import { deleteAtService } from '../../polling/account/delete-at-service.ts';
import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import { ServiceError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { inBatches } from '../../watchlist/store/in-batches.ts';
import { describeFailure } from '../session/failure.ts';
import { type Session, say } from '../session/session.ts';

/** Takes a parcel off the watchlist and prints what became of it. */
type Forget = (parcel: Parcel, outcome: string) => Promise<void>;

/**
 * Deletes parcels at the service and forgets each as soon as it is gone there. What the service does not delete stays
 * on the watchlist and is named on standard error; a call that fails ends the deleting.
 */
export async function removeRemotely(
  session: Session,
  service: Pick<AccountService, 'delete'>,
  parcels: readonly Parcel[],
  forget: Forget,
): Promise<ExitCode> {
  const { context, configuration } = session;
  let left = parcels;
  let isRefused = false;
  try {
    for (const batch of inBatches(parcels, configuration.operations.delete.batchLimit)) {
      const deletions = await deleteAtService(service, batch, context.signal);
      left = left.slice(batch.length);
      for (const [position, parcel] of batch.entries()) {
        const deletion = deletions[position];
        if (deletion?.kind === 'refused') {
          const sentence = `${parcel.trackNo} was not deleted at the service and stays on the watchlist.`;
          say(context, `${sentence} It says: "${deletion.message}".`);
          isRefused = true;
        } else {
          const outcome = deletion?.kind === 'unknown' ? 'the service did not know it' : 'also at the service';
          await forget(parcel, `removed, ${outcome}`);
        }
      }
    }
    return isRefused ? exitCode.rejected : exitCode.done;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const numbers = left.map(({ trackNo }) => trackNo).join(', ');
    const failure = describeFailure(error);
    say(context, `Not deleted, and still on the watchlist: ${numbers}. ${failure.message}`);
    return failure.exitCode;
  }
}
