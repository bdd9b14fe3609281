import { type ExitCode, exitCode, worseExit } from '../../process/exit-code.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { namedParcels, oneParcelNamed, parcelsNamedByAll, refuseBlank } from '../input/find-parcel.ts';
import { openCore } from '../session/core.ts';
import { openService } from '../session/service.ts';
import type { Session } from '../session/session.ts';
import { removeRemotely } from './remove-remotely.ts';

/** Options of `remove`. */
interface RemoveOptions {
  readonly courier?: string;
  readonly remote?: boolean;
}

/** Stops watching numbers and forgets their history; with `--remote` they are deleted at the service first. */
export async function runRemove(
  session: Session,
  options: RemoveOptions,
  numbers: readonly string[],
): Promise<ExitCode> {
  const { context } = session;
  refuseBlank(numbers);
  const service = options.remote === true ? await openService(session) : null;
  await using core = await openCore(session, service, {
    named: namedParcels(numbers, options.courier ?? null),
  });
  const { parcels } = core.monitor.getState();
  const { parcels: found, areAllFound } = parcelsNamedByAll(session, numbers, (number) => [
    oneParcelNamed(parcels, number, options.courier ?? null),
  ]);
  const complaintExit = areAllFound ? exitCode.done : exitCode.rejected;
  const forget = async (parcel: Parcel, outcome: string): Promise<void> => {
    await core.monitor.remove(parcel.id);
    context.stdout.write(`${parcel.trackNo}  ${outcome}\n`);
  };
  if (service === null) {
    for (const parcel of found) await forget(parcel, 'removed');
    return complaintExit;
  }
  return worseExit(complaintExit, await removeRemotely(session, service, found, forget));
}
